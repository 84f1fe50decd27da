// Rein's plugin for opencode: tells Rein what happens in this process and does what Rein answers. Rein decides, not this file.
// A Rein that is dead, hung or talks garbage must never show in the agent: then nothing is added and nothing is denied.
import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Null in agents that Rein launched; `rein setup` puts its programs here for those that somebody started by hand. */
const deployed = null

const protocol = '1'
const endLine = '\nrein-end'
const answerLimit = 65_536
const here = dirname(fileURLToPath(import.meta.url))
const deadlineMs = Number(process.env.REIN_HOOK_DEADLINE_MS) || 200

/** An agent that Rein launched has the socket in its environment; else the deployed client knows the way. */
const ask = async (event, payload) => {
  try {
    const body = JSON.stringify(payload)
    const answer = deployed === null ? await post(event, payload.conversation, body) : await run(event, body)
    return answer === '' ? {} : JSON.parse(answer)
  } catch {
    return {}
  }
}

const post = (event, conversation, body) =>
  new Promise((resolve, reject) => {
    const query = new URLSearchParams({ agent: process.env.REIN_AGENT, pid: process.pid, conversation })
    const outgoing = request(
      {
        socketPath: process.env.REIN_SOCKET,
        method: 'POST',
        path: `/v1/hooks/opencode/${event}?${query}`,
        headers: { 'content-type': 'application/json', 'x-rein-hook': protocol },
        signal: AbortSignal.timeout(deadlineMs),
      },
      (incoming) => {
        let text = ''
        incoming.setEncoding('utf8')
        incoming.on('data', (chunk) => {
          text += chunk
          if (text.length > answerLimit) outgoing.destroy(new Error('too long'))
        })
        incoming.on('error', reject)
        incoming.on('end', () => {
          const isWhole = incoming.statusCode === 200 && text.endsWith(endLine)
          resolve(isWhole ? text.slice(0, -endLine.length) : '')
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })

const run = (event, body) =>
  new Promise((resolve, reject) => {
    const client = spawn(deployed.hook, ['opencode', event], { stdio: ['pipe', 'pipe', 'ignore'] })
    let text = ''
    client.stdout.setEncoding('utf8')
    client.stdout.on('data', (chunk) => {
      text += chunk
    })
    client.stdin.on('error', () => undefined)
    client.on('error', reject)
    client.on('close', () => resolve(text))
    client.stdin.end(body)
  })

/** The one exported name: opencode takes every export of a plugin for a plugin. */
export const Rein = async ({ client, directory }) => {
  const isLaunched = (process.env.REIN_AGENT ?? '') !== ''
  if (isLaunched !== (deployed === null)) return {}
  // Only the start needed it, see the driver: what the agent runs itself is to have npm's own default.
  if (isLaunched) delete process.env.npm_config_fetch_retries

  const parents = new Map()
  const failures = new Map()
  let current = null
  let waiter = null

  const parentOf = async (session) => {
    if (!parents.has(session)) {
      const found = await client.session.get({ path: { id: session } }).catch(() => undefined)
      parents.set(session, found?.data?.parentID ?? null)
    }
    return parents.get(session)
  }

  /** A sub-agent has a session of its own; what it does belongs to the conversation at the top. */
  const rootOf = async (session) => {
    const parent = await parentOf(session)
    return parent === null ? session : rootOf(parent)
  }

  const tell = async (event, session, fields) => {
    const conversation = await rootOf(session)
    if (conversation === session) current = session
    return ask(event, { ...fields, session, conversation, directory })
  }

  const prompt = async (session, text, mark) => {
    const parts = [{ type: 'text', text, ...(mark === undefined ? {} : { metadata: { rein: mark } }) }]
    await client.session.promptAsync({ path: { id: session }, body: { parts } })
  }

  /** A terminal that nobody has typed into has no session yet: it gets one, and shows it. */
  const openSession = async () => {
    const { data } = await client.session.create({ body: {} })
    await client.tui.publish({ body: { type: 'tui.session.select', properties: { sessionID: data.id } } })
    return data.id
  }

  /** Rein's waiter ends with 2 and the sentence to say when there is something for an idle agent. */
  const wait = () => {
    if (waiter !== null || (process.env.REIN_WAITERS ?? '') === '') return
    waiter = spawn(deployed === null ? join(here, 'rein-wait') : deployed.waiter, [], { stdio: ['ignore', 'ignore', 'pipe'] })
    let sentence = ''
    waiter.stderr.setEncoding('utf8')
    waiter.stderr.on('data', (chunk) => {
      sentence += chunk
    })
    waiter.on('error', () => undefined)
    waiter.on('close', async (code) => {
      waiter = null
      if (code !== 2) return
      await prompt(current ?? (await openSession()), sentence.trim()).catch(() => undefined)
      wait()
    })
  }

  /** What the bus tells of; nothing here holds opencode up. */
  const events = {
    'session.created': async ({ info }) => {
      parents.set(info.id, info.parentID ?? null)
      wait()
      await tell('session.created', info.id, { agent: info.agent ?? null })
    },
    'session.error': async ({ sessionID, error }) => {
      if (sessionID !== undefined) failures.set(sessionID, error?.name ?? 'UnknownError')
    },
    'session.idle': async ({ sessionID }) => {
      wait()
      const { goOn } = await tell('session.idle', sessionID, { failure: failures.get(sessionID) ?? null })
      if (goOn !== undefined) await prompt(sessionID, goOn, 'feedback')
    },
    'session.compacted': async ({ sessionID }) => {
      await tell('session.compacted', sessionID, {})
    },
    'permission.asked': async (asked) => {
      await tell('permission.asked', asked.sessionID, { asked })
    },
    'question.asked': async (asked) => {
      await tell('question.asked', asked.sessionID, { asked })
    },
  }

  wait()
  return {
    config: async (config) => {
      if (!isLaunched) return
      config.skills = { ...config.skills, paths: [...(config.skills?.paths ?? []), join(here, 'skills')] }
      config.permission = withOwnCommands(config.permission)
    },
    event: async ({ event }) => {
      await events[event.type]?.(event.properties).catch(() => undefined)
    },
    'chat.message': async ({ sessionID, agent }, output) => {
      failures.delete(sessionID)
      const { context } = await tell('chat.message', sessionID, { agent: agent ?? null, parts: output.parts })
      const last = output.parts.at(-1)
      if (context === undefined || last === undefined) return
      // Ids are in order of time, and parts are kept in order of their ids.
      output.parts.push({
        id: `${last.id}rein`,
        sessionID,
        messageID: output.message.id,
        type: 'text',
        text: context,
        synthetic: true,
        metadata: { rein: 'context' },
      })
    },
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const { deny, args } = await tell('tool.execute.before', sessionID, { tool, call: callID, args: output.args })
      if (deny !== undefined) throw new Error(deny)
      if (args === undefined) return
      for (const name of Object.keys(output.args)) delete output.args[name]
      Object.assign(output.args, args)
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const fields = { tool, call: callID, args, output: output?.output ?? null }
      const { context } = await tell('tool.execute.after', sessionID, fields)
      if (context === undefined || typeof output?.output !== 'string') return
      // Where it stands is written down with it: what the tool printed could look like anything.
      output.metadata = { ...output.metadata, rein: { at: output.output.length, length: context.length + 2 } }
      output.output = `${output.output}\n\n${context}`
    },
    dispose: async () => {
      waiter?.kill()
      if (current !== null) await ask('dispose', { session: current, conversation: current, directory })
    },
  }
}

/** An agent may always say that it got something; the last rule that fits a command counts. */
const withOwnCommands = (permission) => {
  const rules = typeof permission === 'string' ? { '*': permission } : { ...permission }
  const bash = typeof rules.bash === 'string' ? { '*': rules.bash } : { ...rules.bash }
  delete rules.bash
  return { ...rules, bash: { ...bash, 'rein ack *': 'allow', 'rein inbox read *': 'allow' } }
}
