import { run } from '@stricli/core'
import { expect, test } from 'vitest'
import { version } from '../base/util/version.ts'
import type { Client } from '../client/client.ts'
import { readCommandLine } from './argv.ts'
import { app } from './commands.ts'
import type { CliContext } from './context.ts'
import { report } from './exit.ts'
import { explainUsage } from './explain-usage.ts'
import { createOutput } from './output.ts'

/** What `rein` with these words asks the daemon, prints and complains about. */
const type = async (line: string) => {
  const { words, driverArgs, json } = readCommandLine(line.split(' ').slice(1))
  const complaints: string[] = []
  const asked: string[] = []
  const typed = { asked, stdout: '', stderr: '', code: 0 }
  const write = (name: 'stdout' | 'stderr') => (text: string) => void (typed[name] += text)
  const stdout = { write: write('stdout') }
  const client = new Proxy({} as Client, {
    get: (_, route: string) => (input?: { target?: string }) => {
      asked.push([route, input?.target].filter(Boolean).join(' '))
      return Promise.resolve(route === 'ps' ? [{ handle: 'a', project: 'shop', host: 'tmux' }] : {})
    },
  })
  const parser = {
    stdout,
    stderr: { write: (text: string) => complaints.push(text) },
    env: {},
    exitCode: undefined as number | undefined,
  }
  const context = {
    process: parser,
    env: {},
    out: createOutput({ stdout, stderr: { write: write('stderr') } }, {}),
    driverArgs,
    now: () => 0,
    cwd: () => '/shop',
    paths: () => ({ config: '/shop/none', registration: '/shop/none' }),
    connect: () => client,
    exitWith: (code: number) => void (typed.code = code),
  } as unknown as CliContext
  await run(app, words, { process: parser, forCommand: () => context })
  if (complaints.length > 0)
    typed.code = report(context.out, explainUsage(app.root, words, parser.exitCode ?? 0, complaints), json)
  return typed
}

test.each([
  ['rein help', /^Keeps CLI coding agents running/],
  ['rein help tell', /^Tell an agent something\n\nUsage: rein tell HANDLE TEXT \[OPTIONS\]\n/],
  ['rein help memory note', /^Usage: rein memory note COMMAND$/m],
  ['rein help --all', /For agents, scripts and programs/],
  ['rein version', new RegExp(`^${version}\n$`)],
  ['rein -v', new RegExp(`^${version}\n$`)],
  ['rein -V', new RegExp(`^${version}\n$`)],
  ['rein stop --help', /^Stop agents\n/],
])('%s prints it', async (line, printed) => {
  expect(await type(line)).toMatchObject({ code: 0, asked: [], stderr: '', stdout: expect.stringMatching(printed) })
})

test.each([
  ['rein stop worker-1', ['down worker-1']],
  ['rein kill x', ['down x']],
  ['rein down a b', ['down a', 'down b']],
  ['rein down --all --yes', ['ps', 'down shop/a']],
  ['rein status', ['ps', 'status']],
  ['rein list', ['ps', 'status']],
  ['rein ls', ['ps', 'status']],
])('%s does what it says', async (line, asked) => {
  expect(await type(`${line} --json`)).toMatchObject({ code: 0, asked, stderr: '' })
})

test.each([
  ['rein stpo worker-1', 'There is no command `rein stpo`.', 'Did you mean `rein stop`?'],
  ['rein hlep', 'There is no command `rein hlep`.', 'List the commands: rein help'],
  ['rein ui', 'There is no command `rein ui`.', 'Open the page: rein web (in the terminal: rein top)'],
  ['rein rm x1', 'There is no command `rein rm`.', 'Stop an agent: rein down worker-1'],
  ['rein rewind worker-1', 'There is no command `rein rewind`.', 'Take an agent back to a turn: rein session rewind'],
  ['rein start worker-1', 'There is no command `rein start`.', 'Start an agent: rein up worker-1'],
  ['rein daemon stpo', 'There is no command `rein daemon stpo`.', 'Did you mean `rein daemon stop`?'],
  ['rein memory frobnicate', 'There is no command `rein memory frobnicate`.', 'List the commands: rein help memory'],
  ['rein unpause a', 'There is no command `rein unpause`.', '`rein unpause` is now `rein resume`.'],
  ['rein chat unpause a', 'Unexpected argument "a".', 'Usage: rein chat [ROOM] [OPTIONS]'],
  ['rein task unpause a', 'There is no command `rein task unpause`.', '`rein task unpause` is now `rein task resume`.'],
  ['rein msg blocker x', 'There is no command `rein msg`.', '`rein msg` is now `rein task report`.'],
  ['rein paths', 'There is no command `rein paths`.', '`rein paths` is now `rein config paths`.'],
  ['rein update', 'There is no command `rein update`.', '`rein update` is now `rein setup`.'],
  ['rein --watch ps', 'There is no option --watch here.', 'Options follow the command, like: rein ps --json'],
  ['rein ps --al', '`rein ps` has no option --al.', 'Did you mean --all?'],
  ['rein ps --frob', '`rein ps` has no option --frob.', 'List them: rein help ps'],
  ['rein ps -x', '`rein ps` has no option -x.', 'List them: rein help ps'],
  [
    'rein tell',
    '`rein tell` needs HANDLE and TEXT.',
    'Usage: rein tell HANDLE TEXT [OPTIONS]\n      Example: rein tell ',
  ],
  ['rein send', '`rein send` needs HANDLE and TEXT.', 'Usage: rein send HANDLE TEXT [OPTIONS]'],
  ['rein tell worker-1', '`rein tell` needs TEXT.', 'Example: rein tell worker-1'],
  ['rein tell worker-1 use it', 'Unexpected argument "it".', 'Put a text of several words in quotes.'],
  ['rein tell a b --priority urgnt', 'Invalid value "urgnt" for --priority', 'Did you mean urgent?'],
  ['rein tell a b --priority', '--priority needs a value.', 'See `rein tell --help`.'],
  ['rein tell a b --from x --from y', '--from was given twice: "x" and "y".', 'See `rein tell --help`.'],
  ['rein logs -n many a', 'Invalid value "many" for --limit: a whole number is needed.', 'See `rein logs --help`.'],
  ['rein down', '`rein down` needs HANDLE.', 'All of them: rein down --all'],
  ['rein down --all', 'Nobody can be asked here.', 'rein down --all --yes'],
  ['rein down a --all', 'Give handles or --all, not both.', ''],
  ['rein up', 'An agent needs a name.', 'rein up worker-1'],
  ['rein up a --all', '--all brings agents back as they were', ''],
  ['rein resume', '`rein resume` needs HANDLE.', 'Example: rein resume worker-1'],
  ['rein session rewind worker-1', '`rein session rewind` needs TURN.', 'Usage: rein session rewind ID TURN [OPTIONS]'],
  ['rein session export worker-1', '--output needs a value.', 'See `rein session export --help`.'],
])('%s says what is wrong and what to type', async (line, message, hint) => {
  const { code, stderr, stdout } = await type(line)
  expect({ code, stdout }).toEqual({ code: line.includes('--all') && hint.includes('--yes') ? 5 : 2, stdout: '' })
  expect(stderr).toContain(`rein: ${message}`)
  expect(stderr).toContain(hint)
})
