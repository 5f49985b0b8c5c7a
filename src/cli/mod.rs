//! The command line: one file a command, and what they share.

mod again;
mod audit;
mod budget;
mod check;
mod checkpoint;
mod compare;
mod completions;
mod consumers;
mod exit;
mod explain;
mod init;
mod interrupt;
mod live;
mod man;
mod merge;
mod names;
mod page;
mod policies;
mod print;
#[cfg(feature = "probe")]
mod probe;
#[cfg(not(feature = "probe"))]
#[path = "no_probe.rs"]
mod probe;
mod progress;
mod reports;
mod resources;
mod run;
mod schema;
mod sweep;
mod trace;
mod tune;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use exit::{CliError, Ending};

/// What will this retry policy do to us when the downstream fails?
///
/// Runs a scenario file: a queue, its consumers, a downstream that fails, and the retry policies to compare. Prints a
/// comparison and writes tables and charts.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = BEGINNING_AND_EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The name of the program.
const PROGRAM: &str = "retrystorm";

const BEGINNING_AND_EXIT_CODES: &str = "Examples:
  retrystorm init                       write scenario.yaml, to begin with
  retrystorm run scenario.yaml          run it
  retrystorm explain queue.redrive      tell what a key of it means
  retrystorm run --help                 tell all options of a command

Exit codes:
  0    done, and every expectation of the scenario holds
  1    internal failure
  2    bad input or usage
  3    an expectation is missed, a comparison has found something worse, nothing that `tune`
       has found is shown to keep to its conditions, a budget is too short or too long, or an
       audit has findings
  130  interrupted";

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a commented scenario to begin with
    Init(init::InitArguments),
    /// Run a scenario and compare its variants
    Run(run::RunArguments),
    /// Tell the story of one message, event by event
    Trace(trace::TraceArguments),
    /// Search for the values of keys that suit an objective best
    Tune(tune::TuneArguments),
    /// Add up the waits of a retry policy, without a scenario
    Budget(budget::BudgetArguments),
    /// Join the shards of a sweep to its results
    Merge(merge::MergeArguments),
    /// Check a scenario without running it
    Check(check::CheckArguments),
    /// Say what will go wrong with queues as they are configured
    Audit(audit::AuditArguments),
    /// Say what has changed from one result to the next
    Compare(compare::CompareArguments),
    /// Tell what a key, a metric or a rule is
    Explain(explain::ExplainArguments),
    /// List the retry policies, or tell all about one
    Policies(policies::PoliciesArguments),
    /// List the client libraries whose defaults consumers can take, or tell all about one
    Consumers(consumers::ConsumersArguments),
    /// Ask a real queue whether it does what the model does
    #[cfg_attr(not(feature = "probe"), command(hide = true))]
    Probe(probe::ProbeArguments),
    /// Print the JSON Schema of the scenario language, for editors
    Schema(schema::SchemaArguments),
    /// Print the completions of a shell
    Completions(completions::CompletionsArguments),
    /// Print the manual page, or write one for each command
    Man(man::ManArguments),
}

/// The program as clap knows it.
fn program() -> clap::Command {
    Arguments::command()
}

/// Runs the program.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // A probe deletes its queues first.
    if !matches!(arguments.command, Command::Probe(_)) {
        interrupt::exit_on_interrupt();
    }
    let ending = match arguments.command {
        Command::Init(arguments) => init::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Trace(arguments) => trace::run(&arguments),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Budget(arguments) => budget::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Policies(arguments) => policies::run(&arguments),
        Command::Consumers(arguments) => consumers::run(&arguments),
        Command::Probe(arguments) => probe::run(&arguments),
        Command::Schema(_) => schema::run(),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    };
    match ending {
        Ok(ending) => ending.code(),
        Err(error) => {
            print::error(&error);
            error.code()
        }
    }
}
