import { pathToFileURL } from 'node:url'
import type { RulesCheck } from '../../../contract/outputs/rule-tools.ts'
import { version } from '../../../base/util/version.ts'

/** How grave an action is, in the words of SARIF. */
const levels = {
  block: 'error',
  ask: 'error',
  rewrite: 'warning',
  warn: 'warning',
  context: 'note',
  log: 'note',
} as const

const invalidFile = 'invalid-rule-file'

/** The findings as SARIF 2.1.0, which code hosts and editors show beside the lines. */
export const toSarif = (check: RulesCheck): object => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'rein', version, rules: describeRules(check) } },
      originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(check.root).href}/` } },
      columnKind: 'utf16CodeUnits',
      results: [
        ...check.problems.map(({ file, line, column, message, hint }) => ({
          ruleId: invalidFile,
          level: 'error',
          message: { text: [message, hint].filter((part) => part !== '').join(' ') },
          locations: [locationOf(file, { startLine: line, startColumn: column })],
        })),
        ...check.findings.map(({ rule, action, message, file, line, column, endLine, endColumn }) => ({
          ruleId: rule,
          level: levels[action],
          message: { text: message },
          locations: [locationOf(file, { startLine: line, startColumn: column, endLine, endColumn })],
        })),
      ],
    },
  ],
})

const describeRules = ({ findings, problems }: RulesCheck): object[] => {
  const byName = new Map(findings.map((finding) => [finding.rule, finding]))
  const rules = Array.from(byName.values(), ({ rule, action }) => ({
    id: rule,
    defaultConfiguration: { level: levels[action] },
  }))
  const invalid = { id: invalidFile, shortDescription: { text: 'A rule file that is not valid' } }
  return problems.length === 0 ? rules : [...rules, invalid]
}

/** A path of the project is one from its top; any other is whole. */
const locationOf = (file: string, region: object): object => {
  const place = file.startsWith('/')
    ? { uri: pathToFileURL(file).href }
    : { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' }
  return { physicalLocation: { artifactLocation: place, region } }
}
