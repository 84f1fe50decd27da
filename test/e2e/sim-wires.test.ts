import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startSim } from '../../src/sim/server.ts'
import { type Cli, clis, envOf, programOf, settle } from '../support/clis.ts'

/** How each is asked one thing without a terminal. */
const headless: Record<string, { args: (prompt: string) => string[]; stdin?: true }> = {
  codex: {
    args: (prompt) => ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  },
  copilot: { args: (prompt) => ['-p', prompt, '--allow-all-tools', '--output-format', 'json'] },
  gemini: { args: (prompt) => ['-p', prompt, '--yolo', '-o', 'stream-json'] },
  opencode: { args: () => ['run', '--auto', '--format', 'json'], stdin: true },
}

const others = clis.filter(({ name }) => name in headless)

test.each(others)('a real $name plays a script of the scripted model', async (cli) => {
  const sim = await startSim()
  onTestFinished(() => sim.close())
  const home = await mkdtemp(join(tmpdir(), 'rein-sim-'))
  onTestFinished(() => rm(home, { recursive: true, maxRetries: 5 }))
  const cwd = join(home, 'project')
  await mkdir(cwd)
  await settle(cli, home, sim.url, cwd)
  const script = 'RUN:echo one ;; PAR:RUN:echo two && RUN:echo three ;; SAY:all done'
  const output = await run(cli, script, { url: sim.url, home })

  const work = sim.requests.filter(({ isMain }) => isMain)
  expect(work.map(({ reply }) => reply)).toEqual(script.split(' ;; '))
  expect(work.map(({ wire }) => wire)).toEqual([cli.wire, cli.wire, cli.wire])
  expect(work[1]?.newText).toContain('one')
  expect(work[2]?.newText).toMatch(/two[^]*three/)
  expect(output).toMatch(/all( done|[^]*" done)/)
})

const run = async (cli: Cli, prompt: string, { url, home }: { url: string; home: string }): Promise<string> => {
  const { args, stdin } = headless[cli.name] ?? { args: () => [] }
  const child = spawn(programOf(cli), args(prompt), { cwd: join(home, 'project'), env: envOf(cli, home, url) })
  child.stdin.end(stdin === true ? prompt : '')
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)])
  return `${out}\n${problems}`
}
