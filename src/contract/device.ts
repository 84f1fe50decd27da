import { z } from 'zod'
import { defineRecords } from './record-kind.ts'
import { Scope } from './scope.ts'
import { scopes } from './scopes.ts'

const coordinate = z.string().regex(/^[\w-]{43}$/, 'a coordinate has 32 bytes in base64url')

/** A public key for ECDSA with P-256, as a browser exports it; a private part would be dropped here. */
export const DeviceKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
})
export type DeviceKey = z.infer<typeof DeviceKey>

/** People read it in terminals and in the story, so it can hold nothing that a terminal would obey. */
export const DeviceName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._()+'-]{0,39}$/u, "up to 40 letters, digits, spaces and ._()+'-")

export const DeviceScopes = z
  .array(Scope)
  .min(1, 'name at least one scope')
  .max(scopes.length, 'name each scope once')
  .transform((given) => [...new Set(given)])

/** A paired browser: it proves itself by its key. */
export const Device = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  key: DeviceKey,
  /** The address of the page that it was paired at, and connects from. */
  origin: z.string(),
  pairedAt: z.number(),
  revokedAt: z.number().nullable(),
  lastSeenAt: z.number().nullable(),
})
export type Device = z.infer<typeof Device>

export const deviceRecords = defineRecords(
  'devices',
  {
    'device.paired': [1, z.object({ device: Device })],
    'device.revoked': [1, z.object({ device: z.string() })],
    /** It was let in; at most once an hour. */
    'device.seen': [1, z.object({ device: z.string() })],
  },
  { isClean: true },
)
