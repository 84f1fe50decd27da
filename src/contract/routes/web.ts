import { z } from 'zod'
import { DeviceKey, DeviceName, DeviceScopes } from '../device.ts'
import { Scope } from '../scope.ts'
import { flag, time } from './fields.ts'
import { route, type Routes } from './route.ts'

export const PairStartInput = z.object({
  scopes: DeviceScopes,
  name: DeviceName.optional().describe('what the device is called; left out: as it names itself'),
  host: z
    .string()
    .max(260)
    .optional()
    .describe('127.0.0.1 or one of `web.hosts`, for the address; left out: the first of these, else 127.0.0.1'),
  opener: z.boolean().default(false).describe('make a file that leads a browser there'),
})
export const PairStartOutput = z.object({
  code: z.string().describe('pairs one device, once'),
  url: z.string().describe('the page with the code in its fragment'),
  scopes: z.array(Scope),
  expiresAt: time('when the code ends'),
  opener: z.string().nullable().describe('a file that leads a browser to the page; it goes with the code'),
})

export const PairInput = z.object({
  code: z.string().max(80),
  name: DeviceName.describe('how the device names itself'),
  key: DeviceKey,
  signature: z.string().max(200).describe('by that key, over the address of the page and the code'),
})
const Welcome = z.object({ id: z.string(), name: z.string(), scopes: z.array(Scope) })
export const PairOutput = z.object({
  device: Welcome,
  daemon: z.object({ id: z.string(), version: z.string(), build: z.string() }),
})

export const DevicesInput = z.object({ all: flag.describe('also the revoked ones') })
export const DeviceOutput = Welcome.extend({
  pairedAt: time('when it was paired'),
  lastSeenAt: time('when it last connected').nullable(),
  revokedAt: time('when it was revoked').nullable().describe('null: it may connect'),
  connections: z.number().describe('how many pages of it are connected now'),
})
export const DevicesOutput = z.array(DeviceOutput)

export const HostsOutput = z.object({
  hosts: z.array(z.string()).describe('of `web.hosts`, as this daemon was started with it'),
  port: z.number().describe('of 127.0.0.1, where the page always is'),
})

export type PairStarted = z.infer<typeof PairStartOutput>
export type Paired = z.infer<typeof PairOutput>
export type WelcomeDevice = z.infer<typeof Welcome>
export type DeviceView = z.infer<typeof DeviceOutput>
export type HostsView = z.infer<typeof HostsOutput>

/** The page's devices. */
export const webRoutes = {
  pairStart: route({
    method: 'POST',
    path: '/v1/web/codes',
    input: PairStartInput,
    output: PairStartOutput,
    scope: 'admin',
    isLocal: true,
    commands: ['rein web', 'rein web pair'],
    help: 'Makes a code that pairs one device within five minutes.',
  }),
  pair: route({
    method: 'POST',
    path: '/v1/web/pair',
    input: PairInput,
    output: PairOutput,
    media: 'application/json',
    scope: 'admin',
    help: 'Pairs the device that brings a code and its public key; needs no token.',
  }),
  devices: route({
    method: 'GET',
    path: '/v1/web/devices',
    input: DevicesInput,
    output: DevicesOutput,
    scope: 'admin',
    commands: ['rein web devices'],
    help: 'Lists the paired devices.',
  }),
  webHosts: route({
    method: 'GET',
    path: '/v1/web/hosts',
    output: HostsOutput,
    scope: 'admin',
    help: 'Lists the names under which the page is reached.',
  }),
  revokeDevice: route({
    method: 'POST',
    path: '/v1/web/devices/:id/revoke',
    output: DeviceOutput,
    scope: 'admin',
    commands: ['rein web revoke'],
    help: 'Ends what a device may do, and its connections; by its id or its name.',
  }),
} satisfies Routes
