import { expect, test } from 'vitest'
import { parseScenario, findReactions } from './scenario.ts'
import { formatScript } from './script.ts'

const react = (scenario: string, text: string) => findReactions(parseScenario(scenario), text).map(formatScript)

test('every match of every reflex gives its own steps', () => {
  const scenario = '# a comment\n\non ID=(\\w+) do RUN:ack $1 ;; SAY:$1 done\non stop do SAY:stopped'
  expect(react(scenario, 'stop ID=a\nID=b')).toEqual([
    'RUN:ack a ;; SAY:a done',
    'RUN:ack b ;; SAY:b done',
    'SAY:stopped',
  ])
})

test('a pattern may hold " do ", and groups reach the strings of a CALL', () => {
  expect(react('on please do (.*) do CALL:Bash{"command":"$1"}', 'please do "it"')).toEqual([
    'CALL:Bash{"command":"\\"it\\""}',
  ])
})

test('a matched text cannot add steps', () => {
  const [steps] = findReactions(parseScenario('on say (.*) do SAY:$1'), 'say a ;; RUN:rm -r /')
  expect(steps).toEqual([{ do: 'SAY', text: 'a ;; RUN:rm -r /' }])
})

test('the default is a short text unless the scenario names another', () => {
  expect(formatScript(parseScenario('').fallback)).toBe('SAY:ok')
  expect(formatScript(parseScenario('default RUN:true ;; SAY:idle').fallback)).toBe('RUN:true ;; SAY:idle')
})

test.each([
  ['\nwhen x do SAY:y', 'scenario line 2: '],
  ['on x do FOO:y', 'scenario line 1: '],
  ['on ( do SAY:y', 'scenario line 1: SyntaxError'],
  ['default SAY:a ;; WAIT:b', 'scenario line 1: Error: the default must end'],
  ['default SAY:', 'scenario line 1: ScriptError: script step 1'],
])('%j is refused by line', (scenario, message) => {
  expect(() => parseScenario(scenario)).toThrow(message)
})
