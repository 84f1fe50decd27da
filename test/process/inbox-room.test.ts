import { expect, test } from 'vitest'
import { actingAs, createBox } from './harness.ts'

const room = 12

test('an agent that floods an inbox is told its limit, and a person gets an urgent word in', async () => {
  const box = createBox({ REIN_INBOX_LIMIT: String(room), REIN_INBOX_AGENT_LIMIT: String(room) })
  await box.stoppedAgent('worker')
  await box.runningAgent('flooder')
  const flooder = box.client({ env: actingAs(box, 'flooder') })
  const flood = [...Array(10 * room).keys()].map((n) =>
    flooder.tell({ target: 'worker', cwd: box.cwd, text: `number ${n}`, from: 'tester' }),
  )
  const told = await Promise.allSettled(flood)
  expect(told.filter(({ status }) => status === 'fulfilled').length).toBe(room)
  const refused = await box.rein(['tell', 'worker', 'one more'], { env: actingAs(box, 'flooder') })
  expect(refused).toMatchObject({ code: 5, stdout: '' })
  expect(refused.stderr).toContain(`worker has ${room} open directives from flooder already (inbox.agent_limit).`)
  const urgent = await box.rein(['tell', 'worker', '--priority', 'urgent', 'Stop that.'])
  expect(urgent).toMatchObject({ code: 0, stderr: '' })
})
