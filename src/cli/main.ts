import { run } from '@stricli/core'
import { readCommandLine } from './argv.ts'
import { app } from './commands.ts'
import { type CliContext, createContext } from './context.ts'
import { report } from './exit.ts'

const main = async (argv: string[]): Promise<void> => {
  const { words, driverArgs, json } = readCommandLine(argv)
  const complaints: string[] = []
  const stderr = { write: (text: string) => complaints.push(text) }
  const parser = { stdout: process.stdout, stderr, env: process.env, exitCode: undefined as number | undefined }
  const exitWith = (code: number): void => {
    parser.exitCode = code
  }
  const context = createContext(parser, driverArgs, exitWith)
  if (argv[0] === '__complete') {
    process.exitCode = 0
    await (await import('./complete.ts')).complete(app, argv.slice(1), context)
    return
  }
  if (argv.length === 0) {
    // `rein` alone.
    const { run: greet } = await import('./welcome/welcome.ts')
    await greet(context).catch((cause: unknown) => context.exitWith(report(context.out, cause, false)))
    process.exitCode = parser.exitCode ?? 0
    return
  }
  await run(app, words, { process: parser, forCommand: () => context })
  const code = parser.exitCode ?? 0
  process.exitCode = complaints.length === 0 ? code : await reportUsage(context, words, code, complaints, json)
}

const reportUsage = async (
  { out }: CliContext,
  words: string[],
  code: number,
  complaints: string[],
  json: boolean,
): Promise<number> => {
  const { explainUsage } = await import('./explain-usage.ts')
  return report(out, explainUsage(app.root, words, code, complaints), json)
}

process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
// Until a command has ended it has not succeeded, whatever else makes the process end.
process.exitCode = 1
void main(process.argv.slice(2))
