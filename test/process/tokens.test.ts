import { expect, test } from 'vitest'
import { isRoot } from '../support/abilities.ts'
import { killProcess } from '../support/kill.ts'
import { asAnother } from '../support/squatter.ts'
import { agentTokenOf, type Box, createBox, run, until } from './harness.ts'
import { call, endpointOf, tokenOf } from './mcp-call.ts'

/** What the daemon says to this token on its port. */
const answerTo = async (box: Box, token: string): Promise<string> => (await call(box, token, 'list_agents')).text

const ended = expect.stringContaining('This token of worker has ended with the launch that it was for.')

const isDown = async (box: Box): Promise<boolean> => (await box.client().ps({ all: true }))[0]?.pid === null

test('a token is for one launch: it ends with the agent, and the next launch has another', async () => {
  const box = createBox()
  await box.runningAgent()
  const first = tokenOf(box, 'worker')
  expect(await answerTo(box, first)).toContain('worker: ')
  await box.client().restart({ target: 'worker', cwd: box.cwd })
  const second = tokenOf(box, 'worker')
  expect([await answerTo(box, first), await answerTo(box, second)]).toEqual([
    ended,
    expect.stringContaining('worker: '),
  ])
  await box.client().down({ target: 'worker', cwd: box.cwd })
  expect([await answerTo(box, first), await answerTo(box, second)]).toEqual([ended, ended])
  const env = { REIN_TOKEN: second, REIN_SOCKET: box.paths.socket }
  expect(await box.rein(['inbox'], { env })).toMatchObject({ code: 5, stderr: expect.stringContaining('rein restart') })
})

test('it ends with a crash too, and is the same for the next daemon', async () => {
  const box = createBox({ REIN_AGENTS_RESTART: 'false' })
  const daemon = await box.daemon()
  const { pid } = await box.runningAgent()
  const token = tokenOf(box, 'worker')
  await daemon.kill()
  await box.daemon()
  expect(await answerTo(box, token)).toContain('worker: ')
  killProcess(pid ?? 0)
  await until(() => isDown(box))
  expect(await answerTo(box, token)).toEqual(ended)
})

test('neither an agent token nor the token of the user is of use to another user', async () => {
  const box = createBox()
  await box.runningAgent()
  const { port, token } = endpointOf(box)
  const ask = (bearer: string, through: string[]) =>
    run(['curl', '-s', '-H', `Authorization: Bearer ${bearer}`, `http://127.0.0.1:${port}/v1/agents`], {
      env: box.env,
      through,
    })
  for (const bearer of [token, agentTokenOf(box.paths)]) {
    expect((await ask(bearer, [])).stdout).toContain('"handle":"worker"')
    // Where nobody else can be tried, this is the same user.
    const answer = (await ask(bearer, asAnother)).stdout
    expect(answer).toContain(isRoot ? 'This comes from a process of another user.' : '"handle":"worker"')
  }
})
