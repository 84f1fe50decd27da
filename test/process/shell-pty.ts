import { EventEmitter, once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'
import { type Shell, shellScript } from '../../src/cli/memory/shell/script.ts'
import { readFrames, type SpooledCommand } from '../../src/features/memory/spool/frame.ts'
import { type Result, run } from './harness.ts'

const programs = join(import.meta.dirname, '../../bin')

/** How each shell is started with a file of ours, and shows at each prompt how often it was there, and the exit code. */
const starts: Record<Shell, { args: (rc: string) => string[]; prompt: string }> = {
  bash: {
    args: (rc) => ['--noprofile', '--rcfile', rc, '-i'],
    prompt: `bind 'set enable-bracketed-paste off'; n=0; PS1='@$((++n)):$?@ '`,
  },
  zsh: { args: () => ['-i'], prompt: `setopt promptsubst nopromptsp; n=0; PS1='@$((++n)):$?@ '` },
  fish: {
    args: (rc) => ['-i', '-C', `source ${rc}`],
    prompt:
      'set -g n 0; set -g fish_greeting; function fish_prompt; set -l s $status; set -g n (math $n + 1); echo -n "@$n:$s@ "; end',
  },
}

export interface ShellBox {
  root: string
  /** Where the shell begins. */
  cwd: string
  spool: string
  file(): string
  commands(): SpooledCommand[]
  /** Lines that make a shell write its history; what it has written. */
  historySettings(shell: Shell): string
  history(shell: Shell): string
  /** Runs lines with the script before them, without a terminal. */
  runScript(shell: Shell, lines: string): Promise<Result>
}

export interface OpenShell {
  /** Types it and waits for the next prompt; gives the exit code that the prompt shows. */
  run(input: string): Promise<number>
  /** Ends the shell; gives all that was on the terminal. */
  leave(): Promise<string>
}

export const createShellBox = (): ShellBox => {
  const root = mkdtempSync(join(tmpdir(), 'rein-shell-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  const [cwd, spool] = [join(root, 'project'), join(root, "spool's dir")]
  for (const dir of [cwd, spool, join(root, 'home')]) mkdirSync(dir, { mode: 0o700 })
  const home = join(root, 'home')
  const files = (): string[] => readdirSync(spool).filter((name) => name.endsWith('.cmds'))
  const historyFile = (shell: Shell): string =>
    shell === 'fish' ? join(home, '.local/share/fish/fish_history') : join(home, 'history')
  return {
    root,
    cwd,
    spool,
    file: () => join(spool, files()[0] ?? 'none'),
    commands: () =>
      files().flatMap((name) => readFrames(readFileSync(join(spool, name)), name.replace('.cmds', '')).commands),
    historySettings: (shell) =>
      shell === 'fish' ? '' : `HISTFILE=${historyFile(shell)}; HISTSIZE=100; SAVEHIST=100; HISTCONTROL=ignoreboth`,
    history: (shell) => readFileSync(historyFile(shell), 'utf8').replaceAll(/when: \d+/g, 'when'),
    runScript: (shell, lines) => {
      const file = join(root, 'script')
      writeFileSync(file, `${shellScript(shell, programs, spool)}\n${lines}\n`)
      return run([shell, file], { cwd, env: plainEnv(home) })
    },
  }
}

const plainEnv = (home: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'dumb',
})

interface Options {
  /** Lines for before and after the place of Rein's script. */
  before?: string
  after?: string
  /** How often the script is sourced. */
  times?: number
  /** The key of the widget. */
  key?: string
  env?: Record<string, string>
}

/** A real shell on a terminal, at its first prompt. */
export const openShell = async (
  shell: Shell,
  box: ShellBox,
  { before = '', after = '', times = 1, key, env = {} }: Options = {},
): Promise<OpenShell> => {
  const { args, prompt } = starts[shell]
  const script = shellScript(shell, programs, box.spool, key)
  const rc = join(box.root, '.zshrc')
  writeFileSync(rc, [before, ...Array.from({ length: times }, () => script), after, prompt].join('\n'))
  const pty = spawn(shell, args(rc), {
    name: 'dumb',
    cols: 200,
    rows: 50,
    cwd: box.cwd,
    env: { ...plainEnv(join(box.root, 'home')), ZDOTDIR: box.root, ...env },
  })
  onTestFinished(() => pty.kill('SIGKILL'))
  const news = new EventEmitter()
  let output = ''
  let prompts = 0
  pty.onData((data) => {
    output += data
    news.emit('news')
  })
  const atPrompt = async (): Promise<number> => {
    prompts += 1
    const shown = new RegExp(`@${prompts}:(\\d+)@`)
    while (!shown.test(output)) await once(news, 'news')
    return Number(shown.exec(output)?.[1])
  }
  const exited = new Promise<void>((resolve) => pty.onExit(() => resolve()))
  await atPrompt()
  return {
    run: (input) => {
      pty.write(`${input.replaceAll('\n', '\r')}\r`)
      return atPrompt()
    },
    leave: async () => {
      pty.write(' exit\r')
      await exited
      return output
    },
  }
}
