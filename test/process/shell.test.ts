import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { takeSpool } from '../../src/features/memory/spool/spool.ts'
import { shellsHere } from '../support/abilities.ts'
import { createShellBox, openShell, type ShellBox } from './shell-pty.ts'

/** No file is to give trouble here. */
const fail = (_: string, cause: unknown): never => {
  throw cause
}

const texts = (box: ShellBox): string[] => box.commands().map(({ command }) => command)
const endings = (box: ShellBox): [string, number | null][] => box.commands().map(({ command, exit }) => [command, exit])

describe.each(shellsHere)('in %s', (shell) => {
  const set = (name: string, value: string): string =>
    shell === 'fish' ? `set -gx ${name} '${value}'` : `export ${name}='${value}'`

  test('each command is kept: text, directory, exit code, time and shell', async () => {
    const box = createShellBox()
    const started = Date.now()
    const it = await openShell(shell, box)
    expect(await it.run('echo one')).toBe(0)
    expect(await it.run('echo one')).toBe(0)
    expect(await it.run('false')).toBe(1)
    expect(await it.run('cd / && sh -c "exit 7"')).toBe(7)
    expect(await it.run('')).toBe(7)
    await it.run('pwd')
    await it.leave()
    expect(box.commands().map(({ command, cwd, exit }) => [command, cwd, exit])).toEqual([
      ['echo one', box.cwd, 0],
      ['echo one', box.cwd, 0],
      ['false', box.cwd, 1],
      ['cd / && sh -c "exit 7"', box.cwd, 7],
      ['pwd', '/', 0],
    ])
    const [first, ...others] = box.commands()
    expect(first?.session).toMatch(new RegExp(`^${shell}-\\d+-\\d+$`))
    expect(new Set(others.map(({ session }) => session))).toEqual(new Set([first?.session]))
    // The clock of fish is that of its files: whole seconds.
    expect(first?.at).toBeGreaterThanOrEqual(Math.floor(started / 1000) * 1000 - (first?.durationMs ?? 0))
    expect(first?.at).toBeLessThanOrEqual(Date.now())
    expect(first?.durationMs).toBeGreaterThanOrEqual(0)
  })

  test('several lines, tabs, backslashes and letters of all kinds come back as they were typed', async () => {
    const box = createShellBox()
    const it = await openShell(shell, box)
    const lines = ['echo "a\nb"', "printf '%s\\n' 'ü 日本 \\t \\\\' >/dev/null", 'for i in 1 2\ntrue\nend']
    const typed = shell === 'fish' ? lines : [...lines.slice(0, 2), 'cat <<X >/dev/null\na \\ b\nX']
    for (const each of typed) await it.run(each)
    await it.leave()
    expect(texts(box).map((each) => each.trimEnd())).toEqual(typed)
  })

  test('a directory whose name is no text', async () => {
    const box = createShellBox()
    mkdirSync(Buffer.concat([Buffer.from(`${box.cwd}/d`), Buffer.from([0xe9]), Buffer.from('\n\t\\x')]))
    const it = await openShell(shell, box)
    await it.run('cd d*')
    await it.run('true "ü 1"')
    await it.run('cd ..')
    await it.run('true 2')
    await it.leave()
    const [, inside, , after] = box.commands()
    expect(inside).toMatchObject({ command: 'true "ü 1"', cwd: `${box.cwd}/d\ufffd\n\t\\x` })
    expect(after).toMatchObject({ command: 'true 2', cwd: box.cwd })
  })

  test('what is not to be remembered is not: a blank before it, REIN_EPHEMERAL, a directory with .rein/no-memory', async () => {
    const box = createShellBox()
    const [secret, below] = [join(box.cwd, 'secret'), join(box.cwd, 'secret/a/b')]
    mkdirSync(below, { recursive: true })
    mkdirSync(join(secret, '.rein'))
    writeFileSync(join(secret, '.rein/no-memory'), '')
    const it = await openShell(shell, box)
    await it.run(' echo blank')
    await it.run('true 1')
    await it.run(set('REIN_EPHEMERAL', '1'))
    await it.run('echo ephemeral')
    await it.run(set('REIN_EPHEMERAL', '0'))
    await it.run('cd secret/a/b')
    await it.run('echo private')
    await it.run('cd ../../..')
    await it.run('true 2')
    await it.run('mkdir .rein && touch .rein/no-memory')
    await it.run('echo private, too')
    await it.run('rm .rein/no-memory')
    await it.run('true 3')
    await it.leave()
    const off = set('REIN_EPHEMERAL', '0')
    expect(texts(box)).toEqual(['true 1', off, 'cd secret/a/b', 'true 2', 'rm .rein/no-memory', 'true 3'])
  })

  test('in an agent nothing is kept', async () => {
    const box = createShellBox()
    const it = await openShell(shell, box, { env: { REIN_AGENT: 'agt_1' } })
    await it.run('echo one')
    await it.leave()
    expect(readdirSync(box.spool)).toEqual([])
  })

  test('sourced twice it counts once; a shell inside is another', async () => {
    const box = createShellBox()
    const it = await openShell(shell, box, { times: 2 })
    const typed = [
      shell === 'fish' ? 'begin; true 1; end; true 2' : '(true 1); true 2',
      `${shell} -c 'true inside'`,
      'true 3',
    ]
    for (const each of typed) await it.run(each)
    await it.leave()
    expect(texts(box)).toEqual(typed)
  })

  test('the terminal shows what it shows without it, and the history is the same', async () => {
    const typed = ['echo one', ' echo two', 'false', 'nosuchcommand', 'cd /', 'echo "a\nb"']
    const show = async (times: number): Promise<{ screen: string; history: string }> => {
      const box = createShellBox()
      const it = await openShell(shell, box, { times, before: box.historySettings(shell) })
      for (const each of typed) await it.run(each)
      const screen = await it.leave()
      return { screen: screen.replaceAll(box.root, '…'), history: box.history(shell) }
    }
    const [without, withIt] = [await show(0), await show(1)]
    expect(withIt.history).toBe(without.history)
    expect(withIt.screen).toBe(without.screen)
  })

  test('rein_shell_off takes everything back', async () => {
    const box = createShellBox()
    const it = await openShell(shell, box)
    await it.run('true 1')
    await it.run('rein_shell_off')
    await it.run(shell === 'fish' ? 'set -n; functions -an' : 'set')
    await it.run(shell === 'fish' ? 'false' : 'false; echo "[${PS0-}${PROMPT_COMMAND-}]"')
    const screen = await it.leave()
    expect(texts(box)).toEqual(['true 1'])
    expect(screen.split('rein_shell_off').at(-1)).not.toContain('__rein')
  })

  test('its file is private, whatever the umask, also when the daemon has taken it', async () => {
    const box = createShellBox()
    const it = await openShell(shell, box)
    await it.run('umask 000')
    await it.run('true 1')
    expect(statSync(box.file()).mode & 0o777).toBe(0o600)
    expect(takeSpool(box.spool, fail)).toEqual([])
    await it.run('true 2')
    expect(statSync(box.file()).mode & 0o777).toBe(0o600)
    rmSync(box.file())
    await it.run('true 3')
    expect(statSync(box.file()).mode & 0o777).toBe(0o600)
    await it.run('umask')
    expect(await it.leave()).toMatch(/0{3,4}\r\n/)
  })

  test('a daemon that takes the file again and again gets every command once', async () => {
    const box = createShellBox()
    const it = await openShell(shell, box)
    const kept: string[] = []
    const look = (): void => {
      for (const batch of takeSpool(box.spool, fail)) {
        kept.push(...batch.commands.map(({ command }) => command))
        batch.done()
      }
    }
    const typed = Array.from({ length: 12 }, (_, n) => `true ${n}`)
    for (const [index, command] of typed.entries()) {
      await it.run(command)
      if (index % 3 > 0) look()
    }
    await it.leave()
    look()
    expect(kept).toEqual(typed)
    expect(readdirSync(box.spool)).toEqual([])
  })

  test('a file that nobody takes has an end; a directory that is gone disturbs nobody', async () => {
    const box = createShellBox()
    const it = await openShell(shell, box)
    await it.run('true 1')
    await it.run(shell === 'fish' ? 'set -g __rein_size 262144' : '__rein_size=262144')
    await it.run('true 2')
    expect(texts(box)).not.toContain('true 2')
    takeSpool(box.spool, fail)
    await it.run('true 3')
    expect(texts(box)).toEqual(['true 3'])
    rmSync(box.spool, { recursive: true })
    expect(await it.run('false')).toBe(1)
    expect(await it.run('true 4')).toBe(0)
    expect((await it.leave()).split('true 3').at(-1)).not.toMatch(/rein|No such file|rror/)
    expect(existsSync(box.spool)).toBe(false)
  })

  test('a shell that is not a person at a terminal keeps nothing', async () => {
    const box = createShellBox()
    expect(await box.runScript(shell, 'true 1\ntrue 2')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readdirSync(box.spool)).toEqual([])
  })
})

describe('with others who hook into bash', () => {
  test('PROMPT_COMMAND, as text and as list, sees the exit codes, before and after ours', async () => {
    for (const before of [
      `PROMPT_COMMAND='echo "seen $? \${PIPESTATUS[*]}"'`,
      `PROMPT_COMMAND=('echo "seen $? \${PIPESTATUS[*]}"' ':')`,
    ]) {
      const box = createShellBox()
      const it = await openShell('bash', box, { before, after: `PROMPT_COMMAND+=('echo "later $?"')` })
      expect(await it.run('true | false')).toBe(1)
      expect(await it.run('false | true')).toBe(0)
      const screen = await it.leave()
      expect(screen).toContain('seen 1 0 1')
      expect(screen).toContain('later 1')
      expect(screen).toContain('seen 0 1 0')
      expect(endings(box)).toEqual([
        ['true | false', 1],
        ['false | true', 0],
      ])
    }
  })

  test('one that puts itself before us later is moved behind', async () => {
    const box = createShellBox()
    const it = await openShell('bash', box, { after: `PROMPT_COMMAND="true;$PROMPT_COMMAND"` })
    expect(await it.run('false')).toBe(1)
    expect(await it.run('(exit 3)')).toBe(3)
    await it.leave()
    expect(endings(box)).toEqual([
      ['false', 1],
      ['(exit 3)', 3],
    ])
  })

  test('a DEBUG trap stays as it was', async () => {
    const box = createShellBox()
    const it = await openShell('bash', box, { before: `trap 'traced+=" $BASH_COMMAND"' DEBUG` })
    await it.run('true 1')
    await it.run('trap -p DEBUG; [[ $traced == *" true 1"* ]] && echo "it saw"')
    const screen = await it.leave()
    expect(screen).toContain(`trap -- 'traced+=" $BASH_COMMAND"' DEBUG`)
    expect(screen).toContain('\nit saw')
    expect(texts(box)).toHaveLength(2)
  })

  test.each(['before', 'after'])('bash-preexec, loaded %s', async (when) => {
    const box = createShellBox()
    const hooks = `HISTCONTROL=ignoreboth${preexecLike}\npreexec_functions+=(my_pre); precmd_functions+=(my_cmd)
my_pre() { echo "pre <$1>"; }; my_cmd() { echo "cmd <$?>"; }`
    const it = await openShell('bash', box, { [when]: hooks })
    expect(await it.run('true 1')).toBe(0)
    expect(await it.run('(exit 3)')).toBe(3)
    expect(await it.run('false')).toBe(1)
    expect(await it.run(' true secret')).toBe(0)
    const screen = await it.leave()
    for (const seen of ['pre <true 1>', 'cmd <0>', 'cmd <3>', 'pre <false>', 'cmd <1>']) expect(screen).toContain(seen)
    expect(endings(box)).toEqual([
      ['true 1', 0],
      ['(exit 3)', 3],
      ['false', 1],
    ])
  })

  test.each(['before', 'after'])('a prompt like that of starship, made %s', async (when) => {
    const box = createShellBox()
    const it = await openShell('bash', box, { [when]: starshipLike })
    expect(await it.run('true 1')).toBe(0)
    expect(await it.run('(exit 3)')).toBe(3)
    const screen = await it.leave()
    expect(screen).toContain('ship 0 begun 1')
    expect(screen).toContain('ship 3 begun 1')
    expect(endings(box)).toEqual([
      ['true 1', 0],
      ['(exit 3)', 3],
    ])
  })

  test('`set -eu` and `set -x`: no end, no noise', async () => {
    const box = createShellBox()
    const it = await openShell('bash', box)
    await it.run('set -eux')
    expect(await it.run('! true')).toBe(1)
    await it.run('true 1')
    const screen = await it.leave()
    expect(screen).not.toContain('rein')
    expect(texts(box)).toEqual(['set -eux', '! true', 'true 1'])
  })

  test.each(['ignoreboth', 'ignoredups', 'ignorespace', 'erasedups', ''])(
    'HISTCONTROL=%s: repetitions are kept, what has a blank before it is not',
    async (control) => {
      const box = createShellBox()
      const it = await openShell('bash', box, { before: `HISTCONTROL=${control}; HISTIGNORE='true hidden*'` })
      for (const each of ['true 1', 'true 1', ' true 2', 'true hidden', 'true 3 && true 4', 'true 3 && true 4'])
        await it.run(each)
      await it.leave()
      expect(texts(box)).toEqual(['true 1', 'true 1', 'true 3 && true 4', 'true 3 && true 4'])
    },
  )

  test('a history that is shared between terminals', async () => {
    const box = createShellBox()
    const before = `HISTFILE=${box.root}/h; HISTCONTROL=ignoreboth; PROMPT_COMMAND='history -a; history -c; history -r'`
    const it = await openShell('bash', box, { before })
    await it.run('true 1')
    await it.run(`echo 'true elsewhere' >>${box.root}/h`)
    await it.run(' true secret')
    await it.run('true 2')
    await it.leave()
    expect(texts(box)).toEqual(['true 1', `echo 'true elsewhere' >>${box.root}/h`, 'true 2'])
  })
})

describe.runIf(shellsHere.includes('zsh'))('with others who hook into zsh', () => {
  test('hooks before and after see the exit code', async () => {
    const box = createShellBox()
    const hooks = (name: string): string =>
      `autoload -Uz add-zsh-hook; ${name}_cmd() { print "${name} $?" }; add-zsh-hook precmd ${name}_cmd`
    const it = await openShell('zsh', box, {
      before: `${hooks('early')}; precmd() { print "own $?" }`,
      after: hooks('late'),
    })
    expect(await it.run('(exit 3)')).toBe(3)
    const screen = await it.leave()
    for (const name of ['own', 'early', 'late']) expect(screen).toContain(`${name} 3`)
    expect(endings(box)).toEqual([['(exit 3)', 3]])
  })

  test('options that change the language, `set -eu`, and HISTORY_IGNORE', async () => {
    const box = createShellBox()
    const before =
      'setopt ksharrays shwordsplit noglob nounset extendedglob warncreateglobal; HISTORY_IGNORE="(true hidden*)"'
    const it = await openShell('zsh', box, { before })
    await it.run('true "a  b"')
    await it.run('true hidden 1')
    await it.run('set -e')
    expect(await it.run('! true')).toBe(1)
    const screen = await it.leave()
    expect(texts(box)).toEqual(['true "a  b"', 'set -e', '! true'])
    expect(screen).not.toContain('rein')
  })
})

describe.runIf(shellsHere.includes('fish'))('with others who hook into fish', () => {
  test('other handlers see the exit code; private mode and fish_should_add_to_history are heeded', async () => {
    const box = createShellBox()
    const before = `function other --on-event fish_postexec; echo "seen $status"; end
function fish_should_add_to_history; not string match -q 'true hidden*' -- $argv; end`
    const it = await openShell('fish', box, { before })
    expect(await it.run('sh -c "exit 3"')).toBe(3)
    await it.run('true hidden')
    await it.run('set -g fish_private_mode 1')
    await it.run('true private')
    expect(await it.leave()).toContain('seen 3')
    expect(texts(box)).toEqual(['sh -c "exit 3"'])
  })
})

/** The way of bash-preexec, which atuin and others use: it installs itself at the first prompt, with a DEBUG trap. */
const preexecLike = `
__bp_last_ret_value=$?; __bp_mode= __bp_ignorespace=
__bp_install_string=$'__bp_trap_string="$(trap -p DEBUG)"\\ntrap - DEBUG\\n__bp_install'
__bp_set() { return "$1"; }
__bp_precmd_invoke_cmd() {
  __bp_last_ret_value=$?
  local each; for each in "\${precmd_functions[@]}"; do __bp_set "$__bp_last_ret_value"; "$each"; done
}
__bp_interactive_mode() { __bp_mode=on; }
__bp_preexec_invoke_exec() {
  [[ -n $__bp_mode && -t 1 ]] || return
  __bp_mode=
  [[ \${PROMPT_COMMAND-} == *"\${BASH_COMMAND}"* ]] && return
  local text=$(HISTTIMEFORMAT= history 1 | sed '1 s/^ *[0-9][0-9]*[* ] //') each
  [[ -n $__bp_ignorespace && $text == ' '* ]] && history -d "$(history 1 | sed -r '1 s/^ *([0-9]+).*/\\1/')"
  for each in "\${preexec_functions[@]}"; do "$each" "$text"; done
}
__bp_install() {
  [[ \${PROMPT_COMMAND-} == *__bp_precmd_invoke_cmd* ]] && return 1
  [[ $HISTCONTROL == *ignore[bs]* ]] && __bp_ignorespace=yes HISTCONTROL=ignoredups
  trap '__bp_preexec_invoke_exec "$_"' DEBUG
  local existing=\${PROMPT_COMMAND//$__bp_install_string/:}
  PROMPT_COMMAND=$'__bp_precmd_invoke_cmd\\n'$existing$'\\n__bp_interactive_mode'
  __bp_precmd_invoke_cmd
  __bp_interactive_mode
}
PROMPT_COMMAND=\${PROMPT_COMMAND:+$PROMPT_COMMAND$'\\n'}$__bp_install_string`

/** The way of starship: the time in PS0, the prompt made by a function that comes first. */
const starshipLike = `
ship_precmd() { local code=$?; echo "ship $code begun $ship_begun"; ship_begun=; }
PS0='\${ship_begun:$((ship_begun=1,0)):0}'\${PS0-}
ship_begun=0
PROMPT_COMMAND="ship_precmd\${PROMPT_COMMAND:+;$PROMPT_COMMAND}"`
