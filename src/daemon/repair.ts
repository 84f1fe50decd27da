import { homedir } from 'node:os'
import { ReinError } from '../contract/errors.ts'
import { storageError } from '../base/store/failure.ts'
import { reinPaths } from '../base/util/paths.ts'
import { ensurePrivateDir } from '../base/util/private-dir.ts'
import { lockUnlessServed } from './daemon-lock.ts'
import { beginAnew, lookAtStore, type OnProgress, repairStore } from './repair-store.ts'
import { finishRepair, presence, storeFiles } from './store-files.ts'

/** The process behind `rein daemon repair`: one line of JSON for each step, the last one is the result or an error. */
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** How often progress is printed. */
const progressMs = 200

const progress = (): OnProgress => {
  let last = { step: '', at: 0 }
  return (step, done, of) => {
    const at = performance.now()
    if (step === last.step && at - last.at < progressMs) return
    last = { step, at }
    say({ progress: { step, done, of } })
  }
}

const run = async (action: string | undefined): Promise<object> => {
  const paths = reinPaths({
    env: process.env,
    homedir: homedir(),
    platform: process.platform,
    uid: process.getuid?.() ?? -1,
  })
  ensurePrivateDir(paths.state)
  // The daemon that has just refused this database may still be ending.
  const lock = await lockUnlessServed(paths)
  if (lock === null)
    throw new ReinError('refused', 'A daemon has the database open.', 'Stop it first (agents go on): rein daemon stop')
  const files = storeFiles(paths)
  try {
    finishRepair(files)
    if (presence(files) === 'new') throw new ReinError('not_found', `There is no database at ${files.database} yet.`)
    if (action === 'fresh') return { kept: beginAnew(files, Date.now()) }
    return action === 'repair' ? repairStore(files, progress()) : lookAtStore(files, progress())
  } finally {
    lock.release()
  }
}

try {
  say({ result: await run(process.argv[2]) })
} catch (cause) {
  say(storageError(cause).toBody())
}
