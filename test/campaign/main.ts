import { runStandIns } from './campaign.ts'
import { readOptions } from './options.ts'
import { table } from './tally.ts'

const options = readOptions(process.argv.slice(2))
const tally = await runStandIns(options)
process.stdout.write(`${options.isJson ? JSON.stringify(tally) : table(tally)}\n`)
process.exitCode = tally.failures.length === 0 ? 0 : 1
