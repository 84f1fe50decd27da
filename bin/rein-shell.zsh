# Printed by `rein memory shell init zsh`, for the end of ~/.zshrc: tells Rein what is run in this shell.
# Built-ins only, nothing printed, nothing waited for: a line for each command, in a file of this shell's own.

if [[ -o interactive && -z ${REIN_AGENT-} && ${__rein_session-} != zsh-$$-* ]] && zmodload zsh/datetime zsh/system 2>/dev/null; then
  typeset -g __rein_session=zsh-$$-${EPOCHREALTIME/./}
  typeset -g __rein_file='@SPOOL@'/$__rein_session.cmds
  typeset -g __rein_text='' __rein_cwd='' __rein_at='' __rein_looked='' __rein_private=''
  typeset -gi __rein_count=0 __rein_size=0

  __rein_preexec() {
    emulate -LR zsh
    __rein_text=$1 __rein_cwd=$PWD __rein_at=$EPOCHREALTIME
  }

  __rein_precmd() {
    local code=$? at=$__rein_at text=$__rein_text
    emulate -LR zsh
    __rein_at='' __rein_text=''
    [[ -n $at ]] && __rein_record $code $at $text 2>/dev/null
    return 0
  }

  __rein_record() {
    local text=$3 cwd=$__rein_cwd line
    integer fd begun=$(($2 * 1000)) took=$(((EPOCHREALTIME - $2) * 1000))
    [[ -n $text && $text != [[:space:]]* && $#text -le 16384 ]] || return
    [[ -z ${REIN_EPHEMERAL-} || $REIN_EPHEMERAL == 0 ]] && [[ -z ${REIN_AGENT-} ]] || return
    # What the user keeps out of the history.
    [[ -n ${HISTORY_IGNORE-} && $text == ${~HISTORY_IGNORE} ]] && return
    # While nobody takes the file away, it grows to 256 KiB.
    [[ -s $__rein_file ]] || __rein_size=0
    ((__rein_size < 262144)) && ! __rein_is_private $text || return
    text=${${${text//\\/\\\\}//$'\n'/\\n}//$'\t'/\\t}
    cwd=${${${cwd//\\/\\\\}//$'\n'/\\n}//$'\t'/\\t}
    ((__rein_count += 1))
    line=$'1\t'$__rein_count$'\t'$begun$'\t'$took$'\t'$1$'\t'$cwd$'\t'$text$'\t.'
    ((__rein_size += $#line))
    sysopen -wa -o creat,cloexec,nofollow -m 600 -u fd -- $__rein_file || return
    syswrite -o $fd -- $'\n'$line$'\n'
    exec {fd}>&-
  }

  # Whether the directory, or one above, has .rein/no-memory: looked for once in each, and after a command that names it.
  __rein_is_private() {
    local dir=$__rein_cwd
    if [[ $dir != $__rein_looked || $1 == *no-memory* ]]; then
      __rein_looked=$dir __rein_private=''
      while [[ $dir == /* ]]; do
        [[ -e $dir/.rein/no-memory ]] && __rein_private=1
        dir=${dir%/*}
      done
      [[ -e /.rein/no-memory ]] && __rein_private=1
    fi
    [[ -n $__rein_private ]]
  }

  # Takes everything back, in this shell.
  rein_shell_off() {
    emulate -L zsh
    [[ -z ${__rein_key-} ]] || __rein_key_off
    preexec_functions=(${preexec_functions:#__rein_preexec})
    precmd_functions=(${precmd_functions:#__rein_precmd})
    unset -m '__rein_*'
    unfunction -m '__rein_*'
    unfunction rein_shell_off
  }

  () {
    emulate -L zsh
    typeset -ga preexec_functions precmd_functions
    preexec_functions+=(__rein_preexec)
    # First, so that the time of the other hooks is not the command's.
    precmd_functions=(__rein_precmd $precmd_functions)
  }
fi
