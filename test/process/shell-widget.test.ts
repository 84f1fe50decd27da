import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shellsHere } from '../support/abilities.ts'
import { createShellBox, type OpenShell, openShell, type ShellBox } from './shell-pty.ts'

const altN = '\u001bn'
const texts = (box: ShellBox): string[] => box.commands().map(({ command }) => command)

/** A `rein` that knows three commands, and writes down how it was called. */
const knowing = `#!/bin/sh
printf '%s|%s\\n' "$REIN_SHELL_SESSION" "$*" >>"$CALLS"
printf 'echo one\\0true "ü  2"\\0echo "a\nb"\\0'
`
const silent = '#!/bin/sh\nexit 6\n'

const openWith = async (
  shell: (typeof shellsHere)[number],
  box: ShellBox,
  rein: string,
  key = 'alt-n',
): Promise<OpenShell> => {
  const dir = join(box.root, 'programs')
  mkdirSync(dir)
  writeFileSync(join(dir, 'rein'), rein)
  chmodSync(join(dir, 'rein'), 0o755)
  return openShell(shell, box, {
    key,
    times: 2,
    env: { PATH: `${dir}:${process.env['PATH']}`, CALLS: join(box.root, 'calls') },
  })
}

const calls = (box: ShellBox): string[] => readFileSync(join(box.root, 'calls'), 'utf8').trim().split('\n')

describe.each(shellsHere)('the key in %s', (shell) => {
  test('puts the likeliest command into the line; again the next one; at last what was typed', async () => {
    const box = createShellBox()
    const it = await openWith(shell, box, knowing)
    await it.run(altN)
    await it.run(`tr${altN}${altN}`)
    await it.run(`tr${altN}${altN}${altN}`)
    await it.run(`true 4${altN}${altN}${altN}${altN}`)
    await it.run(`true 5${altN.repeat(5)}`)
    const screen = await it.leave()
    expect(texts(box)).toEqual(['echo one', 'true "ü  2"', 'echo "a\nb"', 'true 4', 'echo one'])
    expect(screen).not.toMatch(/rein|suggest/)
  })

  test('asks once for a list, in the name of this shell, and waits for nobody', async () => {
    const box = createShellBox()
    const it = await openWith(shell, box, knowing)
    await it.run(`git pu${altN}${altN}`)
    await it.run(`env | grep -c REIN_SHELL`)
    await it.leave()
    const session = box.commands()[0]?.session
    expect(calls(box)).toEqual([`${session}|memory suggest --null --limit 10 --timeout 0.3s -- git pu`])
    expect(box.commands().at(-1)).toMatchObject({ exit: 1 })
  })

  test('what it puts there can be changed, goes on from its end, and is not run by itself', async () => {
    const box = createShellBox()
    const it = await openWith(shell, box, knowing)
    await it.run(`${altN} more`)
    await it.run(`${altN}${altN} more`)
    await it.run(`${altN}\u0015true 2`)
    await it.leave()
    expect(texts(box)).toEqual(['echo one more', 'true "ü  2" more', 'true 2'])
  })

  test('without an answer nothing happens; the exit code stays', async () => {
    const box = createShellBox()
    const it = await openWith(shell, box, silent)
    await it.run('false')
    expect(await it.run(`sh -c "exit ${shell === 'fish' ? '$status' : '$?'}"${altN}`)).toBe(1)
    await it.leave()
    expect(texts(box)).toHaveLength(2)
    expect(existsSync(join(box.root, 'calls'))).toBe(false)
  })

  test('another key; rein_shell_off takes it back', async () => {
    const box = createShellBox()
    const it = await openWith(shell, box, knowing, 'ctrl-g')
    await it.run('\u0007')
    await it.run('rein_shell_off')
    await it.run(shell === 'fish' ? 'set -n; functions -an; bind' : shell === 'zsh' ? 'set; bindkey' : 'set; bind -X')
    const screen = await it.leave()
    expect(texts(box)).toEqual(['echo one'])
    expect(screen.split('rein_shell_off').at(-1)).not.toContain('__rein')
  })
})
