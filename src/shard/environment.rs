//! Which job of an array this is: what the engines that run arrays of jobs put into the environment.

use super::Share;

/// An engine and its variables.
struct Engine {
    name: &'static str,
    /// The index of the job.
    index: &'static str,
    /// How many there are, where the engine says so.
    count: Option<&'static str>,
    /// The index of the first job and the distance to the next, where they are not 0 and 1.
    first_and_step: Option<(&'static str, &'static str)>,
}

const ENGINES: [Engine; 4] = [
    Engine {
        name: "Slurm",
        index: "SLURM_ARRAY_TASK_ID",
        count: Some("SLURM_ARRAY_TASK_COUNT"),
        first_and_step: Some(("SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP")),
    },
    Engine {
        name: "AWS Batch",
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        count: Some("AWS_BATCH_JOB_ARRAY_SIZE"),
        first_and_step: None,
    },
    Engine { name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: None, first_and_step: None },
    Engine { name: "HyperQueue", index: "HQ_TASK_ID", count: None, first_and_step: None },
];

/// The share of this job of an array. With `count` the jobs are those with the indices 0 to `count - 1`; without, the
/// engine has to say how many there are. `look_up` reads a variable of the environment.
///
/// # Errors
/// Where no engine has left an index, or what it has left makes no sense; in words for the user.
pub fn share_of_environment(count: Option<u32>, look_up: impl Fn(&str) -> Option<String>) -> Result<Share, String> {
    let Some((engine, index)) = ENGINES.iter().find_map(|engine| Some((engine, look_up(engine.index)?))) else {
        let names = ENGINES.map(|engine| format!("{} ({})", engine.index, engine.name));
        return Err(format!("this is no job of an array: none of {} is set", names.join(", ")));
    };
    let number = |name: &str, text: &str| {
        text.trim().parse::<u32>().map_err(|_| format!("{name} is `{text}`, not a whole number"))
    };
    let index = number(engine.index, &index)?;
    if let Some(count) = count {
        return Share::new(index.saturating_add(1), count).ok_or_else(|| {
            format!("{} is {index}, and there are shares 0 to {}", engine.index, count.saturating_sub(1))
        });
    }
    let variable = |name: &str| look_up(name).map(|text| number(name, &text)).transpose();
    let Some(count) = engine.count.map(variable).transpose()?.flatten() else {
        return Err(format!("{} does not say how many jobs there are: write `--shard auto/N`", engine.name));
    };
    let (first, step) = match engine.first_and_step {
        Some((first, step)) => (variable(first)?.unwrap_or(0), variable(step)?.unwrap_or(1).max(1)),
        None => (0, 1),
    };
    let position = index.saturating_sub(first) / step;
    Share::new(position.saturating_add(1), count)
        .ok_or_else(|| format!("{} is {index}, but there are only {count} jobs", engine.index))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(count: Option<u32>, variables: &[(&str, &str)]) -> Result<String, String> {
        let look_up = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        share_of_environment(count, look_up).map(|share| share.to_string())
    }

    #[test]
    fn engines_that_know_the_size_of_the_array_need_no_help() {
        let slurm = [("SLURM_ARRAY_TASK_ID", "5"), ("SLURM_ARRAY_TASK_COUNT", "3"), ("SLURM_ARRAY_TASK_MIN", "1")];
        assert_eq!(share(None, &[&slurm[..], &[("SLURM_ARRAY_TASK_STEP", "2")]].concat()), Ok("3/3".to_owned()));
        let batch = [("AWS_BATCH_JOB_ARRAY_INDEX", "0"), ("AWS_BATCH_JOB_ARRAY_SIZE", "8")];
        assert_eq!(share(None, &batch), Ok("1/8".to_owned()));
    }

    #[test]
    fn the_others_are_told_it() {
        assert_eq!(share(Some(8), &[("JOB_COMPLETION_INDEX", "7")]), Ok("8/8".to_owned()));
        assert_eq!(share(Some(8), &[("HQ_TASK_ID", "0")]), Ok("1/8".to_owned()));
        assert!(share(None, &[("HQ_TASK_ID", "0")]).is_err_and(|why| why.contains("--shard auto/N")));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(share(None, &[]).is_err_and(|why| why.contains("SLURM_ARRAY_TASK_ID (Slurm)")));
        assert!(share(Some(8), &[("JOB_COMPLETION_INDEX", "8")]).is_err());
        assert!(share(Some(8), &[("JOB_COMPLETION_INDEX", "one")]).is_err());
        assert!(share(None, &[("AWS_BATCH_JOB_ARRAY_INDEX", "8"), ("AWS_BATCH_JOB_ARRAY_SIZE", "8")]).is_err());
        assert!(share(Some(u32::MAX), &[("HQ_TASK_ID", "4294967295")]).is_err());
    }
}
