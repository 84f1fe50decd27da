import type { Agent, LaunchRequest } from '../../contract/agent.ts'
import { Channel, type Route } from '../../contract/channel.ts'
import { ReinError } from '../../contract/errors.ts'
import { channelPattern } from '../../contract/handle.ts'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../../contract/record.ts'
import { splitRoomKey } from '../../contract/team.ts'
import { hintNearest } from '../../base/util/nearest.ts'
import { isBypassing } from './bypass.ts'

/** The effects that the register of channels needs. */
interface ChannelPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  /** Reads the stored channels. */
  load(): { channels: Channel[]; fallback: Route | null }
  agent(id: string): Agent | null
  /** The only agent that runs; null if there are more, or none. */
  loneAgent(): AgentRef | null
  /** The permission mode in which an agent starts like this, where its CLI has a name for it. */
  startMode(agent: Agent, request: LaunchRequest): string
  hasRoom(key: string): boolean
  now(): number
  newId(prefix: string): string
  /** A channel, or a route, is another than before. */
  onChange(): Promise<void>
}

/** Why what comes in on a channel goes nowhere now. */
export type Obstacle = 'no_route' | 'bypass_mode' | 'agent_gone' | 'no_room'

/** The changed fields, or a function that computes them from the present channel. */
type Changes = Partial<Channel> | ((before: Channel) => Partial<Channel>)

/** The register of channels: which there are, who may write there, where it goes, and who may hear it. */
export class Channels {
  readonly #ports: ChannelPorts
  readonly #modes = new Map<string, string>()
  readonly #channels = new Map<string, Channel>()
  #fallback: Route | null = null
  #changing: Promise<unknown> = Promise.resolve()

  constructor(ports: ChannelPorts) {
    this.#ports = ports
    this.reload()
  }

  /** Forgets what it remembers and reads what is written down. */
  reload(): void {
    const { channels, fallback } = this.#ports.load()
    this.#channels.clear()
    for (const channel of channels) this.#channels.set(channel.name, channel)
    this.#fallback = fallback
  }

  get all(): Channel[] {
    return [...this.#channels.values()]
  }

  get fallback(): Route | null {
    return this.#fallback
  }

  get(name: string): Channel | undefined {
    return this.#channels.get(name)
  }

  /** Makes a channel, or changes what is given of it. */
  async set(name: string, changes: Changes, actor: Actor): Promise<Channel> {
    checkName(name)
    const channel = await this.#inTurn(() => this.#set(name, changes, actor))
    await this.#ports.onChange()
    return channel
  }

  async #set(name: string, changes: Changes, actor: Actor): Promise<Channel> {
    const before = this.#channels.get(name)
    const change = typeof changes === 'function' ? changes(before ?? Channel.parse({ name })) : changes
    const channel = Channel.parse({ ...before, ...change, name })
    this.#checkBypass(channel.route, name)
    if (channel.isHuman && channel.senders === null)
      throw new ReinError(
        'usage',
        'Whoever answers for you has to be known: a human channel needs its senders.',
        `rein channel create ${name} --human --sender NAME`,
      )
    if (before === undefined || JSON.stringify(before) !== JSON.stringify(channel))
      await this.#write('channel.set', { channel }, actor)
    this.#channels.set(name, channel)
    return channel
  }

  async remove(name: string, actor: Actor): Promise<void> {
    await this.#inTurn(async () => {
      if (!this.#channels.has(name))
        throw new ReinError(
          'unknown_channel',
          `There is no channel ${name}.`,
          hintNearest(name, this.#channels.keys(), 'List them: rein channel list'),
        )
      await this.#write('channel.removed', { name }, actor)
      this.#channels.delete(name)
    })
    await this.#ports.onChange()
  }

  /** Sets the route of a channel; null: its messages follow the default route. */
  async route(name: string, route: Route | null, actor: Actor): Promise<Channel> {
    this.#checkRoom(route)
    return this.set(name, { route }, actor)
  }

  async setFallback(route: Route | null, actor: Actor): Promise<void> {
    await this.#inTurn(async () => {
      this.#checkRoom(route)
      this.#checkBypass(route, null)
      await this.#write('channel.default', { route }, actor)
      this.#fallback = route
    })
    await this.#ports.onChange()
  }

  /** Where a message on this channel goes: its own route, else the default, else to the agent that is alone. */
  routeOf(name: string): Route | null {
    const route = this.#chosenRouteOf(name)
    const agent = route === null ? this.#ports.loneAgent() : null
    return agent === null ? route : { agent, allowsBypass: false }
  }

  /** Its own route, else the default one. */
  #chosenRouteOf(name: string): Route | null {
    return this.#channels.get(name)?.route ?? this.#fallback
  }

  /** Why it does not go there now; null if it does. */
  obstacleOf(name: string): Obstacle | null {
    const route = this.routeOf(name)
    if (route === null) return 'no_route'
    if ('room' in route) return this.#ports.hasRoom(route.room) ? null : 'no_room'
    const agent = this.#ports.agent(route.agent.id)
    if (agent === null) return 'agent_gone'
    return this.#isOpen(agent) && !route.allowsBypass ? 'bypass_mode' : null
  }

  /** Whether a route leads its messages to this agent, or into a room of its project. */
  leadsTo(name: string, agent: string): boolean {
    const route = this.#chosenRouteOf(name)
    if (route === null) return false
    if ('agent' in route) return route.agent.id === agent
    return splitRoomKey(route.room).project === this.#ports.agent(agent)?.project
  }

  /** How its CLI says that it asks for permissions now. */
  noteMode(agent: string, mode: string): void {
    this.#modes.set(agent, mode)
  }

  /** Whether it leads to this project, or nowhere in particular. */
  serves(name: string, project: string): boolean {
    const route = this.#chosenRouteOf(name)
    if (route === null) return true
    return ('agent' in route ? route.agent.project : splitRoomKey(route.room).project) === project
  }

  /** Whether text of this channel (null: of none) may be shown to an agent that runs like this, now. `mode` is what its CLI says. */
  mayHear(id: string, channel: string | null, mode: string | undefined): boolean {
    if (channel === null || !this.#isOpen(this.#ports.agent(id), mode)) return true
    return this.leadsTo(channel, id) && this.#chosenRouteOf(channel)?.allowsBypass === true
  }

  /** An agent in bypass mode must not be started where outside text reaches it, unless that was confirmed; rooms do not show it such text. */
  checkLaunch(agent: Agent, request: LaunchRequest): void {
    if (!isBypassing({ request }, this.#ports.startMode(agent, request))) return
    const routes = [...this.all.map(({ name, route }) => ({ name, route })), { name: null, route: this.#fallback }]
    const open = routes.find(
      ({ route }) => route !== null && 'agent' in route && route.agent.id === agent.id && !route.allowsBypass,
    )
    if (open !== undefined) throw tooOpen(agent.handle, open.name)
  }

  /** The mode that its CLI reported last; before the first report, the mode it was started with. */
  #isOpen(agent: Agent | null, mode?: string): boolean {
    const started = agent?.request == null ? '' : this.#ports.startMode(agent, agent.request)
    return isBypassing(agent, mode ?? this.#modes.get(agent?.id ?? '') ?? started)
  }

  #checkBypass(route: Route | null, name: string | null): void {
    if (route === null || 'room' in route || route.allowsBypass) return
    const agent = this.#ports.agent(route.agent.id)
    if (agent !== null && this.#isOpen(agent)) throw tooOpen(agent.handle, name)
  }

  #checkRoom(route: Route | null): void {
    if (route === null || 'agent' in route || this.#ports.hasRoom(route.room)) return
    const { project, name } = splitRoomKey(route.room)
    throw new ReinError('unknown_room', `There is no room "${name}" in ${project}.`, 'List them: rein chat list --all')
  }

  /** One change after the other: each begins with what the one before it has made. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const mine = this.#changing.then(change)
    this.#changing = mine.catch(() => undefined)
    return mine
  }

  #write<T extends RecordType>(type: T, body: RecordBody<T>, actor: Actor): Promise<number[]> {
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor, agent: null, project: null }
    return this.#ports.append([newRecord(type, body, context) as AnyNewRecord])
  }
}

export const checkName = (name: string): void => {
  if (!channelPattern.test(name))
    throw new ReinError(
      'usage',
      `${JSON.stringify(name)} is no name of a channel.`,
      'Use up to 32 of: a to z, 0 to 9, _ and -.',
    )
}

const tooOpen = (handle: string, channel: string | null): ReinError =>
  new ReinError(
    'refused',
    `${handle} would run its tools without asking, and text from outside could make it do anything.`,
    `Start it so that it asks (Claude Code: --permission-mode default), or confirm it for this pair: rein channel ${channel === null ? 'default' : `route ${channel}`} ${handle} --allow-bypass`,
  )
