import { Readable } from 'node:stream'
import { run } from '@stricli/core'
import { agentSocket } from '../../src/client/agent-env.ts'
import { createClient } from '../../src/client/client.ts'
import { readCommandLine } from '../../src/cli/argv.ts'
import { app } from '../../src/cli/commands.ts'
import { complete } from '../../src/cli/complete.ts'
import type { CliContext } from '../../src/cli/context.ts'
import { report } from '../../src/cli/exit.ts'
import { explainUsage } from '../../src/cli/explain-usage.ts'
import { createOutput } from '../../src/cli/output.ts'
import { run as welcome } from '../../src/cli/welcome/welcome.ts'
import { reinPaths } from '../../src/base/util/paths.ts'
import { type Box, daemonScript, type Result, type RunOptions } from './harness.ts'

/** Without a process nothing runs it. */
export type CliOptions = Omit<RunOptions, 'through'>

/**
 * A command of Rein as a user types it, without a process of its own: for tests of what commands do and print.
 * What belongs to the process (terminals, signals, pipes, its start) is for `box.rein`.
 */
export const runCli = async (
  box: Pick<Box, 'cwd' | 'env'>,
  args: string[],
  { env: more = {}, cwd = box.cwd, stdin = '' }: CliOptions = {},
): Promise<Result> => {
  const env = { ...box.env, ...more }
  const result: Result = { code: 0, stdout: '', stderr: '' }
  const { words, driverArgs, json } = readCommandLine(args)
  const complaints: string[] = []
  const write = (name: 'stdout' | 'stderr') => (text: string, done?: () => void) => {
    result[name] += text
    done?.()
  }
  const stdout = { write: write('stdout') }
  const parser = { stdout, stderr: { write: (text: string) => complaints.push(text) }, env, exitCode: undefined }
  const given = agentSocket(env)
  const own = () =>
    reinPaths({ env, homedir: env['HOME'] ?? '', platform: process.platform, uid: process.getuid?.() ?? 0 })
  const paths: CliContext['paths'] = () => (given === undefined ? own() : { ...own(), socket: given })
  const context: CliContext = {
    process: parser,
    env,
    out: createOutput({ stdout, stderr: { write: write('stderr') } }, env),
    stdin: Readable.from([Buffer.from(stdin)]),
    driverArgs,
    now: Date.now,
    cwd: () => cwd,
    paths,
    // Some commands give up soon; a busy machine must not make them.
    connect: ({ start = true } = {}) =>
      createClient({ paths: paths(), env, start: start && given === undefined, script: daemonScript }),
    command: () => 'rein',
    exitWith: (code) => Object.assign(parser, { exitCode: code }),
  }
  if (args[0] === '__complete') await complete(app, args.slice(1), context)
  else if (args.length === 0) await welcome(context)
  else await run(app, words, { process: parser, forCommand: () => context })
  const code = (parser.exitCode as number | undefined) ?? 0
  result.code =
    complaints.length === 0 ? code : report(context.out, explainUsage(app.root, words, code, complaints), json)
  return result
}
