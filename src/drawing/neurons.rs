//! Hidden neurons of a network as SVG: twelve small boards each, one for every kind of piece, coloured by the weights.
//!
//! A piece on an orange square activates the neuron, on a blue square it inhibits it. The boards are from the
//! perspective of the side that plays upwards, whose king is on files a to d.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::eval::network::{INPUTS, Network, QA, QB};

/// The side of a square, in pixels.
const SQUARE: usize = 9;
/// The distance between two boards.
const STEP: usize = 8 * SQUARE + 10;
const LEFT: usize = 132;
const TOP: usize = 38;
/// The distance between two neurons.
const ROW: usize = 8 * SQUARE + 18;

/// The number of steps from white to the full colour.
const SHADES: f64 = 24.0;

const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// Returns the `count` neurons of `network` with the largest weights: the size of the input weights times that of the
/// output weights. The largest comes first.
#[must_use]
pub fn weightiest(network: &Network, count: usize) -> Vec<usize> {
    let neurons = network.architecture().neurons;
    let size = |weight: i16| u64::from(weight.unsigned_abs());
    let mut inputs = vec![0; neurons];
    for input in 0..INPUTS {
        let weights = network.input_weights(input);
        inputs.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += size(weight));
    }
    let mut outputs = vec![0; neurons];
    for bucket in 0..network.architecture().buckets {
        let weights = network.output_weights(bucket);
        weights.iter().enumerate().for_each(|(index, &weight)| outputs[index % neurons] += size(weight));
    }
    let mut order: Vec<usize> = (0..neurons).collect();
    order.sort_by_key(|&neuron| std::cmp::Reverse(inputs[neuron] * outputs[neuron]));
    order.truncate(count);
    order
}

/// Draws the `neurons` of `network` below each other.
///
/// # Panics
///
/// If the network does not have one of the neurons.
#[must_use]
pub fn draw(network: &Network, neurons: &[usize]) -> String {
    let (width, height) = (LEFT + 12 * STEP, TOP + neurons.len() * ROW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"11\" fill=\"#374151\" shape-rendering=\"crispEdges\" role=\"img\" aria-label=\"Hidden neurons\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"8\" y=\"16\">{} {}</text>\n",
        network.architecture(),
        network.hash()
    );
    for kind in 0..12 {
        let (side, role) = (if kind < 6 { "own" } else { "their" }, ROLES[kind % 6]);
        let (x, y) = (LEFT + kind * STEP + 4 * SQUARE, TOP - 8);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{side} {role}</text>");
    }
    for (row, &neuron) in neurons.iter().enumerate() {
        draw_neuron(&mut svg, network, neuron, TOP + row * ROW);
    }
    svg + "</svg>\n"
}

fn draw_neuron(svg: &mut String, network: &Network, neuron: usize, top: usize) {
    let weights: Vec<i16> = (0..INPUTS).map(|input| network.input_weights(input)[neuron]).collect();
    let greatest = weights.iter().map(|weight| weight.unsigned_abs()).max().unwrap_or(0).max(1);
    let buckets = network.architecture().buckets;
    let mean = |index: usize| {
        let sum: i32 = (0..buckets).map(|bucket| i32::from(network.output_weights(bucket)[index])).sum();
        f64::from(sum) / buckets as f64 / f64::from(QB)
    };
    let lines = [
        format!("neuron {neuron}"),
        format!("bias {:+.2}", f64::from(network.biases()[neuron]) / f64::from(QA)),
        format!("weights up to {:.2}", f64::from(greatest) / f64::from(QA)),
        format!("counts {:+.2} to move,", mean(neuron)),
        format!("{:+.2} if not", mean(network.architecture().neurons + neuron)),
    ];
    for (line, text) in lines.iter().enumerate() {
        let _ = writeln!(svg, "<text x=\"8\" y=\"{}\">{text}</text>", top + 11 + 14 * line);
    }
    // One path for all squares of a colour, to keep the file small.
    let mut squares = BTreeMap::<String, String>::new();
    for (input, &weight) in weights.iter().enumerate() {
        let (kind, square) = (input / 64, input % 64);
        let (x, y) = (LEFT + kind * STEP + square % 8 * SQUARE, top + (7 - square / 8) * SQUARE);
        let path = squares.entry(colour(f64::from(weight) / f64::from(greatest))).or_default();
        let _ = write!(path, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    for (colour, path) in squares {
        let _ = writeln!(svg, "<path fill=\"{colour}\" d=\"{path}\"/>");
    }
}

/// White for 0, orange for 1, blue for -1, in steps of 1/[`SHADES`].
pub(super) fn colour(weight: f64) -> String {
    let weight = (weight * SHADES).round() / SHADES;
    let full = if weight > 0.0 { [217.0, 95.0, 2.0] } else { [33.0, 102.0, 172.0] };
    let [red, green, blue] = full.map(|part| (255.0 + (part - 255.0) * weight.abs()).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::{Activation, Architecture, Weights};

    /// A network in which only neuron 7 matters: own queens on d4 activate it, the opponent's king on a8 inhibits it.
    fn network() -> Network {
        let architecture = Architecture { neurons: 32, activation: Activation::Clipped, buckets: 1 };
        let mut weights = Weights {
            inputs: vec![0; INPUTS * 32],
            biases: vec![0; 32],
            outputs: vec![0; 64],
            output_biases: vec![0],
        };
        weights.inputs[32 * (4 * 64 + 27) + 7] = 255;
        weights.inputs[32 * (11 * 64 + 56) + 7] = -51;
        weights.outputs[7] = 32;
        weights.outputs[32 + 7] = -64;
        Network::new(architecture, &weights, 157, "{}".to_owned()).unwrap()
    }

    #[test]
    fn the_neuron_that_counts_is_found_and_drawn_where_it_looks() {
        let network = network();
        assert_eq!(weightiest(&network, 3)[0], 7);
        let svg = draw(&network, &weightiest(&network, 1));
        assert!(svg.contains("neuron 7") && svg.contains("+0.50 to move") && svg.contains("-1.00 if not"));
        let is_filled = |kind: usize, file: usize, rank: usize, fill: &str| {
            let (x, y) = (LEFT + kind * STEP + file * SQUARE, TOP + (7 - rank) * SQUARE);
            let path = svg.lines().find(|line| line.starts_with(&format!("<path fill=\"{fill}\"")));
            path.is_some_and(|path| path.contains(&format!("M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z")))
        };
        assert!(is_filled(4, 3, 3, "#d95f02"), "own queen on d4");
        assert!(is_filled(11, 0, 7, &colour(-0.2)), "their king on a8");
        assert!(is_filled(0, 0, 0, "#ffffff"), "no other weight");
        assert_eq!(svg.matches('M').count(), INPUTS);
    }
}
