import { runClaude } from './claude.ts'
import { runHookFaults } from './hook-faults.ts'
import { type Options, readOptions } from './options.ts'
import { runPowerCuts } from './power-cut.ts'
import { runStandIns } from './stand-ins.ts'
import { table, type Tally } from './tally.ts'

const modes: Record<Options['mode'], (options: Options) => Promise<Tally>> = {
  standin: runStandIns,
  claude: runClaude,
  powercut: runPowerCuts,
  hooks: runHookFaults,
}

const options = readOptions(process.argv.slice(2))
const tally = await modes[options.mode](options)
process.stdout.write(`${options.isJson ? JSON.stringify(tally) : table(tally)}\n`)
process.exitCode = tally.failures.length === 0 ? 0 : 1
