import { expect, test } from 'vitest'
import type { RulesCheck } from '../../../contract/outputs/rule-tools.ts'
import { toAnnotations } from './annotations.ts'
import { toSarif } from './sarif.ts'

const check: RulesCheck = {
  root: '/work/shop',
  rules: 2,
  files: 3,
  skipped: { binary: 0, large: 0, unreadable: 0 },
  findings: [
    {
      rule: 'no-any',
      action: 'block',
      isGuard: false,
      isDoubt: false,
      file: 'src/a b,c.ts',
      line: 3,
      column: 7,
      endLine: 3,
      endColumn: 10,
      message: 'Not `any`: 100 %.\nUse unknown.\n',
      text: 'let a: any',
    },
  ],
  problems: [
    {
      file: '/home/ada/rules/x.yaml',
      line: 2,
      column: 1,
      message: 'No such field.',
      hint: 'Did you mean `on`?',
      isGuard: true,
      denies: ['shell'],
    },
  ],
}

test('annotations keep what the runner would take for its own signs', () => {
  expect(toAnnotations(check)).toEqual([
    '::error file=/home/ada/rules/x.yaml,line=2,col=1,title=Rein%3A invalid rule file::No such field. Did you mean `on`?',
    '::error file=src/a b%2Cc.ts,line=3,col=7,endLine=3,endColumn=10,title=Rein%3A no-any::Not `any`: 100 %25.%0AUse unknown.',
  ])
})

test('SARIF names each rule, its level and its place', () => {
  expect(toSarif(check)).toMatchObject({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'rein', rules: [{ id: 'no-any' }, { id: 'invalid-rule-file' }] } },
        originalUriBaseIds: { ROOT: { uri: 'file:///work/shop/' } },
        results: [
          {
            ruleId: 'invalid-rule-file',
            level: 'error',
            locations: [{ physicalLocation: { artifactLocation: { uri: 'file:///home/ada/rules/x.yaml' } } }],
          },
          {
            ruleId: 'no-any',
            level: 'error',
            message: { text: 'Not `any`: 100 %.\nUse unknown.\n' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'src/a%20b%2Cc.ts', uriBaseId: 'ROOT' },
                  region: { startLine: 3, startColumn: 7, endLine: 3, endColumn: 10 },
                },
              },
            ],
          },
        ],
      },
    ],
  })
})
