import { type Device, type DeviceKey, DeviceName } from '../../contract/device.ts'
import { ReinError } from '../../contract/errors.ts'
import { type Actor, byRein } from '../../contract/identity.ts'
import { matchesId } from '../../contract/ids.ts'
import { type AnyNewRecord, newRecord, type RecordBody } from '../../contract/record.ts'
import { maxPages } from '../../contract/socket-terms.ts'
import type { Base } from '../../base/base.ts'
import { freeName } from '../../base/util/free-name.ts'
import { Serial } from '../../base/util/serial.ts'
import type { Grant } from './codes.ts'
import { allDevices } from './store.ts'

type Parts = Pick<Base, 'append' | 'reader' | 'now' | 'newId' | 'journal'> & { onTrouble: (cause: unknown) => void }
type DeviceRecord = 'device.paired' | 'device.revoked' | 'device.seen'

/** Ends a connection of a device that was revoked, was paired again, or has too many. */
type Cut = (why: 'revoked' | 'paired' | 'crowded') => void

const seenEveryMs = 3_600_000

/** The paired devices and their connections. */
export class Devices {
  readonly #parts: Parts
  readonly #all = new Map<string, Device>()
  readonly #connections = new Map<string, Set<Cut>>()
  /** Of two changes at once the second one sees what the first has made. */
  readonly #changes = new Serial()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  load(): void {
    this.#all.clear()
    for (const device of allDevices(this.#parts.reader)) this.#all.set(device.id, device)
  }

  get all(): readonly Device[] {
    return [...this.#all.values()]
  }

  /** One that may connect. */
  find(id: string): Device | null {
    const device = this.#all.get(id)
    return device === undefined || device.revokedAt !== null ? null : device
  }

  connectionsOf(id: string): number {
    return this.#connections.get(id)?.size ?? 0
  }

  /** A browser that has the key of a device is that device: it gets the rights of its new code. */
  pair(grant: Grant, own: { name: string; key: DeviceKey; origin: string }): Promise<Device> {
    return this.#changes.run(() => this.#pair(grant, own))
  }

  /** Ends its connections, too. */
  revoke(given: string, actor: Actor): Promise<Device> {
    return this.#changes.run(() => this.#end(this.#named(given).id, actor))
  }

  /** For a page that others may have shown: what it has in a browser can be used by theirs. */
  revokeAll(): Promise<void> {
    return this.#changes.run(async () => {
      for (const { id, revokedAt } of this.all) if (revokedAt === null) await this.#end(id, byRein)
    })
  }

  async #pair({ scopes, name }: Grant, own: { name: string; key: DeviceKey; origin: string }): Promise<Device> {
    const known = this.all.find(({ id, key }) => this.find(id) !== null && key.x === own.key.x && key.y === own.key.y)
    const pairedAt = this.#parts.now()
    const others = this.all.filter((one) => one.revokedAt === null && one !== known)
    const device: Device = {
      id: known?.id ?? this.#parts.newId('dev'),
      name: freeDeviceName(name ?? known?.name ?? own.name, new Set(others.map((one) => one.name))),
      scopes,
      key: own.key,
      origin: own.origin,
      pairedAt,
      revokedAt: null,
      lastSeenAt: known?.lastSeenAt ?? null,
    }
    await this.#write('device.paired', { device }, actThrough(device))
    this.#all.set(device.id, device)
    // What is open goes on with the rights that it was opened with.
    this.#cut(device.id, 'paired')
    this.#parts.journal.write('device', { device: device.id, name: device.name, what: 'paired' })
    return device
  }

  async #end(id: string, actor: Actor): Promise<Device> {
    await this.#write('device.revoked', { device: id }, actor)
    const revoked = this.#change(id, { revokedAt: this.#parts.now() })
    this.#cut(id, 'revoked')
    this.#parts.journal.write('device', { device: id, name: revoked.name, what: 'revoked' })
    return revoked
  }

  /** It was let in. `cut` ends the connection; what is returned is called when it has ended. */
  connect(device: Device, cut: Cut): () => void {
    const open = this.#connections.get(device.id) ?? new Set()
    const [oldest] = open
    if (oldest !== undefined && open.size >= maxPages) {
      open.delete(oldest)
      oldest('crowded')
    }
    this.#connections.set(device.id, open.add(cut))
    this.#see(device.id)
    return () => {
      open.delete(cut)
      this.#see(device.id)
    }
  }

  #cut(id: string, why: Parameters<Cut>[0]): void {
    for (const cut of this.#connections.get(id) ?? []) cut(why)
  }

  #see(id: string): void {
    const device = this.find(id)
    const now = this.#parts.now()
    if (device === null || now - (device.lastSeenAt ?? 0) < seenEveryMs) return
    this.#change(id, { lastSeenAt: now })
    this.#write('device.seen', { device: id }, actThrough(device)).catch(this.#parts.onTrouble)
  }

  #change(id: string, change: Partial<Device>): Device {
    const device = this.#all.get(id)
    if (device === undefined) throw noDevice(id)
    const changed = { ...device, ...change }
    this.#all.set(id, changed)
    return changed
  }

  /** By its whole id, a part of it, or its name; of those that may connect. */
  #named(given: string): Device {
    const all = this.all.filter(({ revokedAt }) => revokedAt === null)
    const found = all.filter(({ id, name }) => name === given || matchesId(id, given))
    if (found.length > 1)
      throw new ReinError('ambiguous_id', `${given} is the name or id of several devices.`, 'See: rein web devices')
    const [device] = found
    if (device !== undefined) return device
    const before = this.all.find(({ id, name }) => name === given || matchesId(id, given))
    if (before !== undefined)
      throw new ReinError('already_closed', `${before.name} was revoked already.`, 'See: rein web devices --all')
    throw noDevice(given)
  }

  async #write<T extends DeviceRecord>(type: T, body: RecordBody<T>, actor: Actor): Promise<void> {
    const context = { id: this.#parts.newId('rec'), at: this.#parts.now(), actor, agent: null, project: null }
    await this.#parts.append([newRecord(type, body, context) as AnyNewRecord])
  }
}

const noDevice = (given: string): ReinError =>
  new ReinError('unknown_device', `There is no device ${JSON.stringify(given)}.`, 'See: rein web devices')

/** A key can be used by whoever shows a page at its address: what they sign for another address must not count. */
export const checkOrigin = (device: Pick<Device, 'origin'>, origin: string): void => {
  if (device.origin === origin) return
  throw new ReinError(
    'forbidden',
    `This device was paired at ${device.origin}, and the page is at ${origin}.`,
    'Pair it at this address: rein web pair',
  )
}

/** A person who acts through a device. */
export const actThrough = ({ id, name }: Pick<Device, 'id' | 'name'>): Extract<Actor, { kind: 'user' }> => ({
  kind: 'user',
  name: 'user',
  via: { kind: 'device', id, name },
})

/** People say which device by its name, so no two that may connect have the same. */
export const freeDeviceName = (wanted: string, taken: ReadonlySet<string>): string => {
  const isTaken = (name: string): boolean => taken.has(name)
  const short = Array.from(wanted)
    .slice(0, longestName - numberRoom)
    .join('')
    .trimEnd()
  return DeviceName.parse(isTaken(wanted) ? freeName(short, isTaken) : wanted)
}

const longestName = 40
/** For what `freeName` adds. */
const numberRoom = 5
