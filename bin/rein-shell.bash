# Printed by `rein memory shell init bash`, for the end of ~/.bashrc: tells Rein what is run in this shell.
# Built-ins only, nothing printed, nothing waited for: a line for each command, in a file of this shell's own.
# No DEBUG trap: PS0 says when a command begins, the history what it is.

if [[ $- == *i* && -z ${REIN_AGENT-} && ${__rein_session-} != "bash-$$-"* && ${BASH_VERSINFO[0]} -ge 5 ]] && shopt -q promptvars; then
  __rein_session=bash-$$-${EPOCHREALTIME/[.,]/}
  __rein_file='@SPOOL@'/$__rein_session.cmds
  __rein_at='' __rein_seen=0 __rein_ran='' __rein_cwd=$PWD __rein_count=0 __rein_size=0
  __rein_looked='' __rein_private='' __rein_on=1 __rein_bang='\!'
  __rein_begin='${__rein_on:$((__rein_at=${EPOCHREALTIME/[.,]/},0)):0}'
  # The list of a `for` is expanded while BASH_COMMAND is still the user's.
  __rein_first='for __rein_ran in "$BASH_COMMAND"; do __rein_precmd; done 2>/dev/null'
  __rein_last=''

  # First at a prompt, where $? is the command's.
  __rein_precmd() {
    local code=$? flags=$- at=$__rein_at LC_ALL=C IFS=$' \t\n'
    local -
    set +euxTE
    __rein_at=''
    case ${PROMPT_COMMAND-} in
      "$__rein_first"*) ;;
      # bash-preexec stays before everybody, and keeps the exit code.
      __bp_precmd_invoke_cmd*) code=${__bp_last_ret_value-$code} ;;
      *) __rein_to_front ;;
    esac
    [[ -n $at ]] && __rein_record "$code" "$at"
    [[ -n $__rein_last ]] || __rein_ready
    # With `set -e` the code would end the shell.
    [[ $flags == *e* ]] || return "$code"
  }

  # Where the next command begins.
  __rein_ready() {
    local -
    set +euxTE
    __rein_cwd=$PWD __rein_seen=${__rein_bang@P}
    return 0
  }

  # A hook that came later has put itself before us; only values change, because the list is just being run.
  __rein_to_front() {
    local i
    for i in "${!PROMPT_COMMAND[@]}"; do
      PROMPT_COMMAND[i]=${PROMPT_COMMAND[i]/"$__rein_first"/:}
    done
    PROMPT_COMMAND=$__rein_first${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
  }

  __rein_record() {
    local end=${EPOCHREALTIME/[.,]/} HISTTIMEFORMAT='' number=${__rein_bang@P} text cwd=$__rein_cwd line
    local slash='\' newline=$'\n' tab=$'\t'
    [[ -z ${REIN_EPHEMERAL-} || $REIN_EPHEMERAL == 0 ]] && [[ -z ${REIN_AGENT-} ]] && __rein_has_room || return
    # Written over, not anew: that would have the disk flushed.
    { builtin history 1 && builtin printf '\0'; } 1<>"$__rein_file.line"
    IFS='' builtin read -r -d '' -n 16400 text <"$__rein_file.line"
    if ((${#text} < 16400)); then
      builtin printf '%*s' "$((${#text} + 1))" '' 1<>"$__rein_file.line"
    else
      : >|"$__rein_file.line"
    fi
    text=${text#*[0-9][ *] }
    text=${text%"$newline"}
    [[ -n $text && $text != [[:space:]]* && ${#text} -le 16384 ]] || return
    # Not new in the history (where none and one are both 1): a repetition, which ends with what ran last, or not to be kept.
    ((number > __rein_seen || number + __rein_count == 1)) || [[ $text == "$__rein_ran" || $text == *[\;\&\|]" $__rein_ran" ]] || return
    __rein_is_private "$text" && return
    text=${text//"$slash"/"$slash$slash"}
    text=${text//"$newline"/"${slash}n"}
    text=${text//"$tab"/"${slash}t"}
    cwd=${cwd//"$slash"/"$slash$slash"}
    cwd=${cwd//"$newline"/"${slash}n"}
    cwd=${cwd//"$tab"/"${slash}t"}
    ((__rein_count += 1))
    builtin printf -v line '1\t%s\t%s\t%s\t%s\t%s\t%s\t.' "$__rein_count" "$(($2 / 1000))" "$(((end - $2) / 1000))" "$1" "$cwd" "$text"
    ((__rein_size += ${#line}))
    builtin printf '\n%s\n' "$line" >>"$__rein_file"
  }

  # While nobody takes the file away, it grows to 256 KiB.
  __rein_has_room() {
    if [[ -e $__rein_file && -e $__rein_file.line ]]; then
      [[ -s $__rein_file ]] || __rein_size=0
      ((__rein_size < 262144))
    else
      __rein_size=0
      (umask 077 && : >>"$__rein_file" && : >>"$__rein_file.line")
    fi
  }

  # Whether the directory, or one above, has .rein/no-memory: looked for once in each, and after a command that names it.
  __rein_is_private() {
    local dir=$__rein_cwd
    if [[ $dir != "$__rein_looked" || $1 == *no-memory* ]]; then
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
    local hook hooks=()
    [[ -z ${__rein_key-} ]] || __rein_key_off
    for hook in "${PROMPT_COMMAND[@]}"; do
      hook=${hook/"$__rein_first"/:}
      [[ $hook == : || $hook == "$__rein_last" ]] || hooks+=("$hook")
    done
    PROMPT_COMMAND=("${hooks[@]}")
    PS0=${PS0/"$__rein_begin"/}
    unset "${!__rein_@}"
    unset -f rein_shell_off __rein_precmd __rein_ready __rein_to_front __rein_record __rein_has_room __rein_is_private
  }

  PS0=$__rein_begin${PS0-}
  # A list keeps $? and PIPESTATUS for each that is in it; bash-preexec knows no lists.
  if [[ ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} == 50 || ${PROMPT_COMMAND[*]-} == *__bp_* ]]; then
    PROMPT_COMMAND=$__rein_first${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
  else
    PROMPT_COMMAND=("$__rein_first" ${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"})
    # Whoever reads more into the history does so before we look how long it is.
    if [[ ${PROMPT_COMMAND[*]} == *history\ -* ]]; then
      __rein_last='{ __rein_ready; } 2>/dev/null'
      PROMPT_COMMAND+=("$__rein_last")
    fi
  fi
fi
