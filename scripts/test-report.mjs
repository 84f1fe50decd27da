// A vitest reporter that is quiet while tests pass: which group runs, how far it is, and at the end what failed with the command that repeats it.
import { readFileSync, writeFileSync } from 'node:fs'
import { DefaultReporter } from 'vitest/node'
import { groups, repeatCommand } from '../test/support/groups.ts'
import { describeSeconds } from './progress.mjs'

/** Whether groups run as a whole; only then their times tell something. */
const isWhole = process.env.REIN_TEST_WHOLE === '1'

const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** The names that vitest compares with `-t`: of the suites, then of the test. */
function namesOf(test) {
  const names = [test.name]
  for (let { parent } = test; parent.type === 'suite'; { parent } = parent) names.unshift(parent.name)
  return names
}

/** How long a group took when it last passed here; the table's figure where it never ran. */
function expectedSeconds(name, previous) {
  return previous[name] ?? groups.find((group) => group.name === name)?.seconds ?? 0
}

export default class TestReport extends DefaultReporter {
  #report = process.env.REIN_TEST_REPORT
  #seed = process.env.REIN_TEST_SEED
  #groups = new Map()
  #failed = []
  #skipped = []
  #files = []
  #passed = 0
  #previous = {}

  constructor() {
    super({ summary: false })
  }

  onInit(ctx) {
    this.ctx = ctx
    this.silent = ctx.config.silent
    this.#previous = this.#readPrevious()
  }

  onTestRunStart(specifications) {
    super.onTestRunStart(specifications)
    for (const { project } of specifications) {
      const group = this.#groups.get(project.name) ?? { files: 0, ended: 0, tests: 0, failed: 0, told: 0 }
      this.#groups.set(project.name, { ...group, files: group.files + 1 })
    }
  }

  onTestModuleStart(module) {
    const group = this.#groups.get(module.project.name)
    if (group.began !== undefined) return
    group.began = performance.now()
    const about = describeSeconds(expectedSeconds(module.project.name, this.#previous))
    const hint = isWhole ? `, about ${about} on two idle cores` : ''
    this.#print(`· ${module.project.name}: ${count(group.files, 'file')}${hint}`)
  }

  onTestCaseResult(test) {
    super.onTestCaseResult(test)
    const { state } = test.result()
    if (state === 'passed') this.#passed += 1
    if (state === 'skipped') this.#skipped.push(`${this.relative(test.module.moduleId)} > ${test.fullName}`)
    if (state === 'failed') this.#fail(test.module, namesOf(test), test.result().errors)
  }

  onTestModuleEnd(module) {
    super.onTestModuleEnd(module)
    const group = this.#groups.get(module.project.name)
    const tests = [...module.children.allTests()]
    const hasFailed = module.state() === 'failed'
    if (hasFailed && !tests.some((test) => test.result().state === 'failed')) this.#fail(module, [], module.errors())
    group.ended += 1
    group.tests += tests.length
    group.seconds = (performance.now() - group.began) / 1000
    const { duration } = module.diagnostic()
    this.#files.push({ file: this.relative(module.moduleId), group: module.project.name, seconds: duration / 1000 })
    this.#tellProgress(module.project.name, group)
  }

  /** Only what failed is worth a line of its own, and that is said at once by `#fail`. */
  printTestModule() {}

  reportTestSummary(_files, errors) {
    this.#print('')
    if (this.#skipped.length > 0) this.#print(`Not run here:\n${this.#skipped.map((name) => `  ${name}`).join('\n')}`)
    if (this.#failed.length > 0)
      this.#print(`Failed. To run just that:\n${this.#failed.map(({ command }) => `  ${command}`).join('\n')}`)
    this.#writeReport(errors.length)
  }

  /** The whole error comes at the end; its first line is enough to know what to look at meanwhile. */
  #fail(module, names, errors) {
    const file = this.relative(module.moduleId)
    this.#failed.push({ file, names, command: repeatCommand(file, names, this.#seed) })
    this.#groups.get(module.project.name).failed += 1
    this.#print(
      `✗ ${[file, ...names].join(' > ')}\n    ${errors?.[0]?.message.split('\n')[0] ?? 'could not be loaded'}`,
    )
  }

  /** On a terminal one line that changes; elsewhere a line for each quarter. */
  #tellProgress(name, group) {
    const state = `${count(group.tests, 'test')}, ${group.failed} failed, ${describeSeconds(group.seconds)}`
    if (group.ended === group.files) return this.#print(`${group.failed === 0 ? '✓' : '✗'} ${name}: ${state}`)
    const line = `  ${name}: ${group.ended} of ${count(group.files, 'file')}, ${state}`
    if (this.isTTY) return process.stdout.write(`\r\x1b[K${line.slice(0, (process.stdout.columns ?? 80) - 1)}`)
    const quarter = Math.floor((4 * group.ended) / group.files)
    if (quarter > group.told && group.files >= 20) this.#print(line)
    group.told = quarter
  }

  #print(text) {
    if (this.isTTY) process.stdout.write('\r\x1b[K')
    this.log(text)
  }

  #readPrevious() {
    try {
      return JSON.parse(readFileSync(`${this.#report}.times`, 'utf8'))
    } catch {
      return {}
    }
  }

  /** Times are kept of whole groups that passed: those tell how long the next run will take. */
  #writeReport(unhandled) {
    if (this.#report === undefined) return
    const seconds = Object.fromEntries([...this.#groups].map(([name, group]) => [name, Math.round(group.seconds ?? 0)]))
    const failed = this.#failed.length + unhandled
    const report = { passed: this.#passed, failed, skipped: this.#skipped.length, failures: this.#failed, seconds }
    writeFileSync(this.#report, JSON.stringify({ ...report, files: this.#files }, null, 1))
    if (failed === 0 && isWhole)
      writeFileSync(`${this.#report}.times`, JSON.stringify({ ...this.#previous, ...seconds }))
  }
}
