// Rein's plugin for opencode: tells Rein what happens in this process and does what Rein answers, which decides.
// A Rein that is dead, hung or talks garbage must never show in the agent: then nothing is added, and nothing is denied but by guard rules.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Null in agents that Rein launched; `rein setup` puts its programs here for those that somebody started by hand. */
const deployed = null

const protocol = '1'
const endLine = '\nrein-end\n'
const later = 'later '
const answerLimit = 65_536
const quietMs = 500
const here = dirname(fileURLToPath(import.meta.url))
const { env } = process
const deadlineMs = Number(env.REIN_HOOK_DEADLINE_MS) || 200
/** All that a daemon may take which says in time that it lives. */
const patienceMs = 4300
/** What Rein cannot know of a process that it did not start: how it is driven, and where it keeps its conversations. */
const about = {
  client: env.OPENCODE_CLIENT ?? null,
  env: { HOME: homedir(), XDG_DATA_HOME: env.XDG_DATA_HOME, OPENCODE_DB: env.OPENCODE_DB },
}

/** An agent that Rein launched has the socket in its environment; else the deployed client knows the way. */
const ask = async (event, payload) => {
  try {
    const body = JSON.stringify({ ...payload, about })
    const answer = deployed === null ? await post(event, payload.conversation, body) : await run(event, body)
    return answer === '' ? {} : JSON.parse(answer)
  } catch {
    return {}
  }
}

/** A daemon that lives and needs longer says so when half of the wait is over, with a ticket to ask for once more. */
const post = async (event, conversation, body) => {
  const query = new URLSearchParams({ agent: env.REIN_AGENT, pid: process.pid, conversation })
  const answer = await send(`${event}?${query}`, body, deadlineMs)
  if (!answer.startsWith(later)) return answer
  return send(`${event}?ticket=${answer.slice(later.length)}`, '', Math.max(patienceMs - deadlineMs / 2, 10))
}

const send = (path, body, waitMs) =>
  new Promise((resolve, reject) => {
    const outgoing = request({
      socketPath: env.REIN_SOCKET,
      method: 'POST',
      path: `/v1/hooks/opencode/${path}`,
      headers: { 'content-type': 'application/json', 'x-rein-hook': protocol, 'x-rein-wait': waitMs },
    })
    const giveUp = () => {
      clearTimeout(timer)
      outgoing.destroy()
      reject(new Error('no answer'))
    }
    // A signal or timeout given to the request does not end one that is never answered, in opencode's runtime.
    const timer = setTimeout(giveUp, waitMs)
    outgoing.on('error', giveUp)
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk) => {
        text += chunk
        if (text.length > answerLimit) giveUp()
      })
      incoming.on('error', giveUp)
      incoming.on('end', () => {
        clearTimeout(timer)
        const isWhole = incoming.statusCode === 200 && text.endsWith(endLine)
        resolve(isWhole ? text.slice(0, -endLine.length) : '')
      })
    })
    outgoing.end(body)
  })

const run = async (event, body) => (await piped(deployed.hook, event, body)).text

const piped = (program, event, body) =>
  new Promise((resolve, reject) => {
    const client = spawn(program, ['opencode', event], { stdio: ['pipe', 'pipe', 'ignore'] })
    let text = ''
    client.stdout.setEncoding('utf8')
    client.stdout.on('data', (chunk) => {
      text += chunk
    })
    client.stdin.on('error', () => undefined)
    client.on('error', reject)
    client.on('close', (code) => resolve({ code, text }))
    client.stdin.end(body)
  })

/** Throws what a guard rule says to a tool call. Whatever goes wrong with a guard throws, too. */
const guard = async (call) => {
  const program = deployed === null ? join(here, 'rein-guard') : deployed.guard
  // A Rein that was removed binds nobody.
  if (deployed !== null && !existsSync(program)) return
  const { code, text } = await piped(program, 'tool.execute.before', JSON.stringify(call))
  if (code !== 0) throw new Error('Rein could not check this call against its guard rules, so it is not run.')
  if (text !== '') throw new Error(JSON.parse(text).deny)
}

/** A terminal runs plugins in a worker, whose `argv` has nothing of the command line. */
const commandLine = () => {
  try {
    return readFileSync('/proc/self/cmdline', 'utf8').split('\0')
  } catch {
    return process.argv
  }
}

/** The session that the command line asked for. */
const asked = (() => {
  const argv = commandLine()
  const at = argv.findIndex((word) => word === '-s' || /^--session(=|$)/.test(word))
  const [, joined] = /^--session=(.*)/.exec(argv[at] ?? '') ?? []
  return {
    session: at < 0 ? null : (joined ?? argv[at + 1] ?? null),
    newest: argv.includes('-c') || argv.includes('--continue'),
    fork: argv.includes('--fork'),
  }
})()

/** The sessions of this process, and how Rein hears of them. */
const sessionsOf = ({ client, directory }) => {
  const parents = new Map()
  const known = { current: null }

  /** A sub-agent has a session of its own; what it does belongs to the conversation at the top. */
  const rootOf = async (session) => {
    if (!parents.has(session)) {
      const found = await client.session.get({ path: { id: session } })
      if (found.data === undefined) throw new Error('unknown session')
      parents.set(session, found.data.parentID ?? null)
    }
    const parent = parents.get(session)
    return parent === null ? session : rootOf(parent)
  }

  /** A terminal that nobody has typed into may show an old session already. */
  const taken = async () => {
    if (asked.fork) return null
    if (asked.session !== null || !asked.newest) return asked.session
    const { data } = await client.session.list()
    return data?.find(({ parentID }) => parentID === undefined)?.id ?? null
  }

  /** Else it has none yet: it gets one, and shows it. */
  const open = async () => {
    const { data } = await client.session.create({ body: {} })
    await client.tui.publish({ body: { type: 'tui.session.select', properties: { sessionID: data.id } } })
    return data.id
  }

  return {
    created: ({ id, parentID }) => parents.set(id, parentID ?? null),
    /** What is said in a session that cannot be placed is not told: it could be a sub-agent's. */
    tell: async (event, session, fields) => {
      const conversation = await rootOf(session).catch(() => null)
      if (conversation === null) return {}
      if (conversation === session) known.current = session
      return ask(event, { ...fields, session, conversation, directory })
    },
    prompt: async (session, text, metadata) =>
      client.session.promptAsync({ path: { id: session }, body: { parts: [{ type: 'text', text, metadata }] } }),
    /** The client that plugins get has no call of its own for an answer with a reason: its older one goes to that address. */
    decide: async (requestID, { kind, reason }) =>
      client.postSessionIdPermissionsPermissionId({
        url: '/permission/{requestID}/reply',
        path: { requestID },
        body: kind === 'allow' ? { reply: 'once' } : { reply: 'reject', message: reason },
      }),
    current: async () => {
      known.current ??= (await taken()) ?? (await open())
      return known.current
    },
    end: async () => {
      const session = known.current
      if (session !== null) await ask('dispose', { session, conversation: session, directory })
    },
  }
}

/** Rein's waiter ends with 2 and the sentence to say when there is something for an idle agent. */
const waiterOf = (sessions) => {
  let waiter = null
  let isOver = false

  const wake = async (sentence) => sessions.prompt(await sessions.current(), sentence)

  const arm = () => {
    // Over its protocol Rein prompts by itself.
    if (waiter !== null || isOver || env.OPENCODE_CLIENT === 'acp') return
    const program = deployed === null ? join(here, 'rein-wait') : deployed.waiter
    waiter = spawn(program, [], { stdio: ['ignore', 'ignore', 'pipe'] })
    let sentence = ''
    waiter.stderr.setEncoding('utf8')
    waiter.stderr.on('data', (chunk) => {
      sentence += chunk
    })
    waiter.on('error', () => undefined)
    waiter.on('close', (code) => {
      waiter = null
      if (code === 2) wake(sentence.trim()).catch(() => undefined)
      // Null: it was killed. One that ended by itself was released, or has nowhere to listen.
      if (code === 2 || code === null) arm()
    })
  }

  const end = () => {
    isOver = true
    waiter?.kill()
  }

  return { arm, end }
}

/** opencode drops a prompt from the command line when it takes up a session. A fork is filled first. */
const firstPromptOf = (sessions) => {
  let text = env.REIN_FIRST_PROMPT ?? ''
  let timer = null
  delete env.REIN_FIRST_PROMPT

  const now = async () => {
    const prompt = text
    text = ''
    if (prompt !== '') await sessions.prompt(await sessions.current(), prompt)
  }

  const soon = () => {
    clearTimeout(timer)
    if (text !== '') timer = setTimeout(() => void now().catch(() => undefined), quietMs)
  }

  return { now, soon }
}

/** What the bus tells of; nothing here holds opencode up. */
const listenersOf = (sessions, waiter, failures, begin) => ({
  'session.created': async ({ info }) => {
    sessions.created(info)
    waiter.arm()
    if (asked.fork) begin.soon()
    await sessions.tell('session.created', info.id, { agent: info.agent ?? null })
  },
  'message.updated': async () => {
    if (asked.fork) begin.soon()
  },
  'session.error': async ({ sessionID, error }) => {
    failures.set(sessionID, error?.name ?? 'UnknownError')
  },
  'session.idle': async ({ sessionID }) => {
    waiter.arm()
    const { goOn } = await sessions.tell('session.idle', sessionID, { failure: failures.get(sessionID) ?? null })
    if (goOn !== undefined) await sessions.prompt(sessionID, goOn, { rein: 'feedback' })
  },
  'session.compacted': async ({ sessionID }) => sessions.tell('session.compacted', sessionID, {}),
  'permission.asked': async (question) => {
    const { verdict } = await sessions.tell('permission.asked', question.sessionID, { asked: question })
    if (verdict !== undefined) await sessions.decide(question.id, verdict)
  },
  'question.asked': async (question) => sessions.tell('question.asked', question.sessionID, { asked: question }),
})

/** The one exported name: opencode takes every export of a plugin for a plugin. */
export const Rein = async (input) => {
  const isLaunched = (env.REIN_AGENT ?? '') !== ''
  if (isLaunched !== (deployed === null)) return {}
  const sessions = sessionsOf(input)
  const waiter = waiterOf(sessions)
  const failures = new Map()
  const begin = firstPromptOf(sessions)
  const listeners = listenersOf(sessions, waiter, failures, begin)
  waiter.arm()
  if (!asked.fork) begin.now().catch(() => undefined)
  return {
    config: async (config) => {
      addOwn(config)
      if (isLaunched) allowOwn(config)
    },
    // Only opencode's own installs are not to be tried again: what the agent runs has npm's default.
    'shell.env': async (_, output) => {
      if (isLaunched) output.env.npm_config_fetch_retries = '2'
    },
    event: async ({ event }) => {
      await listeners[event.type]?.(event.properties).catch(() => undefined)
    },
    'chat.message': async ({ sessionID, agent }, output) => {
      failures.delete(sessionID)
      const fields = { agent: agent ?? null, parts: output.parts }
      const { context } = await sessions.tell('chat.message', sessionID, fields)
      if (context !== undefined) output.parts.push(contextPart(context, output))
    },
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const fields = { tool, call: callID, args: output.args }
      const { deny, args } = await sessions.tell('tool.execute.before', sessionID, fields)
      if (deny !== undefined) throw new Error(deny)
      if (args !== undefined) {
        for (const name of Object.keys(output.args)) delete output.args[name]
        Object.assign(output.args, args)
      }
      // What will really run: a rewritten call, too.
      await guard({ directory: input.directory, tool, call: callID, args: output.args })
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const text = outputText(output)
      if (text === null) return
      const fields = { tool, call: callID, args, output: text, exit: output.metadata?.exit }
      const { context } = await sessions.tell('tool.execute.after', sessionID, fields)
      if (context !== undefined) addContext(output, context)
    },
    dispose: async () => {
      waiter.end()
      await sessions.end()
    },
  }
}

/** A tool of an MCP server gives a list of contents, the others give text. */
const outputText = (output) => {
  if (Array.isArray(output?.content)) return output.content.map(({ text }) => text ?? '').join('\n')
  return typeof output?.output === 'string' ? output.output : null
}

/** Where it stands is written down with it: what the tool printed could look like anything. */
const addContext = (output, context) => {
  const isList = Array.isArray(output.content)
  const rein = isList ? { at: 0, length: context.length } : { at: output.output.length, length: context.length + 2 }
  output.metadata = { ...output.metadata, rein }
  // A long list is cut at its end, after this; text was cut before.
  if (isList) output.content.unshift({ type: 'text', text: context })
  else output.output = `${output.output}\n\n${context}`
}

/** Parts are kept in the order of their ids. */
const contextPart = (text, { message, parts }) => ({
  id: `${parts.at(-1)?.id ?? 'prt_'}rein`,
  sessionID: message.sessionID,
  messageID: message.id,
  type: 'text',
  text,
  synthetic: true,
  metadata: { rein: 'context' },
})

/** Beside what the user configured, never in place of it. A launched agent has no need of instructions. */
const addOwn = (config) => {
  config.skills = { ...config.skills, paths: [...(config.skills?.paths ?? []), join(here, 'skills')] }
  if (deployed !== null) config.instructions = [...(config.instructions ?? []), join(here, 'instructions.md')]
}

const allowOwn = (config) => {
  const rules = typeof config.permission === 'string' ? { '*': config.permission } : (config.permission ?? {})
  config.permission = withOwnCommands(env.REIN_AUTO_APPROVE === '1' ? withoutAsking(rules) : rules)
}

/** An agent may always say that it got something; the last rule that fits a command counts. */
const withOwnCommands = ({ bash = {}, ...rules }) => {
  const own = { 'rein ack *': 'allow', 'rein inbox read *': 'allow' }
  return { ...rules, bash: typeof bash === 'string' ? { '*': bash, ...own } : { ...bash, ...own }, ...ownTools }
}

const ownTools = { rein_read_inbox: 'allow', rein_ack_directive: 'allow' }

/** What would be asked is allowed, what is denied stays so; two things are asked even where nothing is configured. */
const withoutAsking = (rules) => {
  const allowed = (rule) => {
    if (typeof rule !== 'object') return rule === 'ask' ? 'allow' : rule
    return Object.fromEntries(Object.entries(rule).map(([pattern, inner]) => [pattern, allowed(inner)]))
  }
  return allowed({ external_directory: 'allow', doom_loop: 'allow', ...rules })
}
