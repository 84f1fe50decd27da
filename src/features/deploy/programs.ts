import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import type { ReinPaths } from '../../base/util/paths.ts'
import { quoted } from '../../base/util/shell.ts'

/** The programs that deployed hooks call: always in the same place, for any installed Rein. */
export interface Programs {
  hook: string
  waiter: string
  guard: string
}

const names = { hook: 'rein-hook', waiter: 'rein-wait', guard: 'rein-guard' } as const

const directory = (paths: ReinPaths): string => join(paths.state, 'hooks')

export const programsIn = (paths: ReinPaths): Programs => ({
  hook: join(directory(paths), names.hook),
  waiter: join(directory(paths), names.waiter),
  guard: join(directory(paths), names.guard),
})

export interface ProgramParts {
  paths: ReinPaths
  /** The directory of this installation's own programs. */
  programs: string
  /** Where the waiters of conversations listen that Rein did not start. */
  waiters: string
  /** The time that a hook waits for the daemon. */
  deadlineMs: number
}

/** Writes the programs that are missing or belong to another Rein. */
export const writePrograms = async (parts: ProgramParts): Promise<void> => {
  const { paths, programs } = parts
  mkdirSync(directory(paths), { recursive: true, mode: 0o700 })
  const contents = {
    [names.hook]: renderWrapper(parts, names.hook, ''),
    [names.waiter]: renderWrapper(parts, names.waiter, onlyInTerminals),
    [names.guard]: renderGuard(paths, readFileSync(join(programs, names.guard), 'utf8')),
  }
  for (const [name, content] of Object.entries(contents)) {
    const file = join(directory(paths), name)
    if (readIfThere(file) !== content) await writeFileAtomic(file, content, { mode: 0o700 })
  }
  // Without this file a guard denies everything; the daemon writes the rules into it.
  if (readIfThere(paths.guards) === null) await writeFileAtomic(paths.guards, 'end\n')
}

export const removePrograms = (paths: ReinPaths): void => rmSync(directory(paths), { recursive: true, force: true })

const readIfThere = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** Without a terminal, Claude Code does not end before its waiter; one that another one runs inherits its variables, but no terminal. */
const onlyInTerminals = `case \${CLAUDE_CODE_ENTRYPOINT-cli} in cli) ;; *) exit 0 ;; esac
if [ -n "\${CLAUDE_CODE_ENTRYPOINT-}" ] && [ -e "/proc/$PPID/fd/1" ]; then
  { [ -t 3 ]; } 2>/dev/null 3<"/proc/$PPID/fd/1" || exit 0
fi
`

/**
 * What the CLI was started with, where the system shows it: what a hook has in its own environment may come from the
 * project that the CLI works in. A CLI may run its hooks in a shell.
 */
const startVariables = `find_cli() {
  cli=$PPID
  while [ -r "/proc/$cli/stat" ]; do
    IFS=' ' read -r _ name _ parent _ <"/proc/$cli/stat"
    case $name in '(sh)' | '(ash)' | '(bash)' | '(dash)' | '(fish)' | '(ksh)' | '(zsh)') cli=$parent ;; *) break ;; esac
  done
  [ -r "/proc/$cli/environ" ]
}
start_variables() {
  (PATH="/usr/bin:/bin\${PATH:+:$PATH}" && command tr '\\n\\0' ' \\n' <"/proc/$cli/environ" | command grep -E "^($1)=.")
}
`

/** In doubt the agent counts as launched: a second hook would make it a second agent. */
export const isLaunched = `${startVariables}is_launched() {
  [ -n "\${REIN_AGENT-}" ] || return 1
  find_cli || return 0
  start_variables REIN_AGENT >/dev/null
}
`

/** An agent that Rein launched has hooks of its own. It stands after `isLaunched`. */
export const notInLaunched = `is_launched && exit 0
unset REIN_AGENT REIN_PROJECT
`

/**
 * The guard runs there, too: a CLI that another CLI started has got the variables of the project from that one, and being
 * asked twice does no harm. It stands after `isLaunched`.
 */
export const alsoInLaunched = `is_launched || unset REIN_AGENT
unset REIN_PROJECT
`

/**
 * Sets `state` to the state directory of the user that started the CLI. Where the system does not show that, it is the usual one
 * of the user whom the system knows. It stands after `isLaunched`.
 */
export const findState = `state='' xdg='' home=''
if find_cli; then
  while IFS= read -r one; do
    case $one in
      REIN_HOME=*) state=\${one#*=} ;;
      XDG_STATE_HOME=/*) xdg=\${one#*=} ;;
      HOME=/*) home=\${one#*=} ;;
    esac
  done <<EOF
$(start_variables 'REIN_HOME|XDG_STATE_HOME|HOME')
EOF
fi
if [ -z "$home" ]; then
  user=$(PATH="/usr/bin:/bin\${PATH:+:$PATH}" && command id -un)
  case $user in '' | *[!A-Za-z0-9._-]*) exit 0 ;; esac
  eval "home=~$user"
fi
state=\${state:-\${xdg:-$home/.local/state}/rein}
`

/** A copy, not a wrapper: it works also while Rein is being reinstalled. */
const renderGuard = (paths: ReinPaths, program: string): string => `#!/bin/sh
# Written by \`rein setup\`, taken away by \`rein cleanup\`.
${isLaunched}${alsoInLaunched}export REIN_GUARDS=${quoted(paths.guards)} REIN_SOCKET=${quoted(paths.socket)}
${program}`

/** `exec` keeps the CLI the parent of the real program: Rein identifies the caller by that pid. */
const renderWrapper = (
  { paths, programs, waiters, deadlineMs }: ProgramParts,
  name: string,
  condition: string,
): string => {
  const program = quoted(join(programs, name))
  return `#!/bin/sh
# Written by \`rein setup\`, taken away by \`rein cleanup\`.
${isLaunched}${notInLaunched}# Rein may be gone: nobody's CLI is to suffer from that.
[ -x ${program} ] || exit 0
${condition}export REIN_SOCKET=${quoted(paths.socket)} REIN_SPOOL=${quoted(paths.spool)} REIN_WAITERS=${quoted(waiters)}
# Nobody makes it wait for less.
case \${REIN_HOOK_DEADLINE_MS-} in '' | *[!0-9]* | ???????*) REIN_HOOK_DEADLINE_MS=0 ;; esac
[ "$REIN_HOOK_DEADLINE_MS" -ge ${deadlineMs} ] || REIN_HOOK_DEADLINE_MS=${deadlineMs}
export REIN_HOOK_DEADLINE_MS
exec ${program} "$@"
`
}
