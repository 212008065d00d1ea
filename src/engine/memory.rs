//! The memory that the process may use: the least limit of its control groups (a container is one). The
//! system ends a program that uses more, so a larger hash table is refused.

use std::{fs, path::Path};

/// The memory limit of this process, in bytes; `None` if there is none.
pub(super) fn limit() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    least_limit(&groups, Path::new("/sys/fs/cgroup"))
}

/// The least memory limit of `groups`, lines as in `/proc/self/cgroup`, whose files are in `folder`.
///
/// Reference: the manual page cgroups(7).
fn least_limit(groups: &str, folder: &Path) -> Option<u64> {
    let mut least = None;
    for line in groups.lines() {
        let (folder, group, file) = match line.splitn(3, ':').collect::<Vec<_>>()[..] {
            [_, "", group] => (folder.to_owned(), group, "memory.max"),
            [_, "memory", group] => (folder.join("memory"), group, "memory.limit_in_bytes"),
            _ => continue,
        };
        // The limits of the groups around it hold too.
        for group in Path::new(group.trim_start_matches('/')).ancestors() {
            let text = fs::read_to_string(folder.join(group).join(file)).unwrap_or_default();
            least = least.into_iter().chain(text.trim().parse()).min();
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_of_the_groups_around_the_process_holds() {
        let folder = tempfile::tempdir().unwrap();
        let limit = |group: &str, file: &str, text: &str| {
            let group = folder.path().join(group);
            fs::create_dir_all(&group).unwrap();
            fs::write(group.join(file), text).unwrap();
        };
        limit("memory", "memory.limit_in_bytes", "9223372036854771712\n");
        limit("memory/a", "memory.limit_in_bytes", "3000\n");
        limit("memory/a/b", "memory.limit_in_bytes", "5000\n");
        limit("memory/other", "memory.limit_in_bytes", "1\n");
        limit("", "memory.max", "9000\n");
        limit("c:d", "memory.max", "max\n");
        limit("c:d/e", "memory.max", "4000\n");
        for (groups, least) in [
            ("4:memory:/a/b\n3:cpuset:/other\n0::/\n", Some(3000)),
            ("4:memory:/a/b\n0::/c:d\n", Some(3000)),
            ("4:memory:/outside\n", Some(9_223_372_036_854_771_712)),
            ("0::/c:d/e\n", Some(4000)),
            ("0::/c:d\n", Some(9000)),
            ("0::/../outside\n", Some(9000)),
            ("3:cpu,cpuacct:/other\n", None),
            ("", None),
        ] {
            assert_eq!(least_limit(groups, folder.path()), least, "{groups}");
        }
    }
}
