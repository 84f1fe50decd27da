import { machine } from '../../bench/measure.ts'
import { writePage } from '../../bench/page.ts'
import { table } from '../campaign/tally.ts'
import { commandOf, readOptions } from './options.ts'
import { toMarkdown } from './result.ts'
import { soak } from './soak.ts'

const options = readOptions(process.argv.slice(2))
const where = machine()
const tally = await soak(options)
process.stdout.write(`${options.isJson ? JSON.stringify(tally) : table(tally)}\n`)
if (options.isWritten) writePage('docs/soak.md', 'soak', `${toMarkdown(tally)}\n\n${where}. \`${commandOf(options)}\``)
process.exitCode = tally.failures.length === 0 ? 0 : 1
