import { execFile } from 'node:child_process'
import { Agent, request } from 'node:http'
import { promisify } from 'node:util'
import { agentTokenHeader } from '../../../src/contract/headers.ts'
import { directiveOf } from '../truth.ts'

/** A connection that is not used is closed before anybody counts what the daemon has open. */
const agent = new Agent({ keepAlive: true, maxSockets: 8, timeout: 2_000 })

/** Through the command, as a model does, or through the same request without the cost of a process. */
export const acknowledge = (note: string, byCommand: boolean): Promise<boolean> =>
  byCommand ? runCommand(directiveOf(note)) : post(directiveOf(note))

const runCommand = (id: string): Promise<boolean> =>
  promisify(execFile)('rein', ['ack', id]).then(
    () => true,
    () => false,
  )

const post = (id: string): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request({
      agent,
      socketPath: process.env['REIN_SOCKET'],
      method: 'POST',
      path: `/v1/directives/${id}/ack`,
      headers: { [agentTokenHeader]: process.env['REIN_TOKEN'], 'content-type': 'application/json' },
    })
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200))
      response.on('error', () => resolve(false))
    })
    sent.on('error', () => resolve(false))
    sent.end('{}')
  })
