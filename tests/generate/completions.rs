//! The completions of bash, zsh and fish.

use clap_complete::aot::{self, Shell};

/// File name and text of the completions of each shell.
pub fn all(program: &clap::Command) -> Vec<(&'static str, String)> {
    let shells = [(Shell::Bash, "boardbus.bash"), (Shell::Zsh, "_boardbus"), (Shell::Fish, "boardbus.fish")];
    let of = |(shell, name)| {
        let mut text = Vec::new();
        aot::generate(shell, &mut program.clone(), "boardbus", &mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        (name, if shell == Shell::Bash { with_files(&text, program) } else { text })
    };
    shells.map(of).into()
}

/// The completions of bash, where for the first argument of a command that takes files the shell offers files: those of
/// clap_complete offer only options there.
fn with_files(text: &str, program: &clap::Command) -> String {
    let takes_files = |name: &str| {
        let command = program.find_subcommand(name.replace("__subcmd__", "-"));
        command.is_some_and(|command| command.get_positionals().next().is_some())
    };
    let mut here = false;
    let mut with_files = String::new();
    for line in text.lines() {
        if let Some(label) = line.trim().strip_suffix(')').filter(|label| label.starts_with("boardbus")) {
            here = label.strip_prefix("boardbus__subcmd__").is_some_and(takes_files);
        }
        let only_options = " || ${COMP_CWORD} -eq 2 ]]";
        let for_any_word = "            COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )";
        with_files.push_str(&match line {
            // Without an offer of the program bash completes files.
            _ if here && line == for_any_word => "            COMPREPLY=()".to_owned(),
            _ if here => line.replace(only_options, " ]]"),
            _ => line.to_owned(),
        });
        with_files.push('\n');
    }
    with_files
}
