import { expect, test } from 'vitest'
import { anAgent } from '../../test/builders.ts'
import type { Agent } from '../contract/agent.ts'
import { describeDelivery } from './delivery-text.ts'

const describeIn = (state: Agent['state']): string =>
  describeDelivery(anAgent({ state }), 'normal', null, { kind: 'none', reason: 'not_idle' })

test('one that Rein starts again by itself is not one that waits for a person', () => {
  expect(describeIn('crashed')).toContain('when Rein has started it again')
  expect(describeIn('looping')).toContain('rein restart worker')
  expect(describeIn('stopped')).toContain('rein up worker --continue')
})
