import { z } from 'zod'
import { LeaseGlob, LeaseMode, LeaseWhy } from '../../contract/lease.ts'
import type { leaseRoutes, LeaseView } from '../../contract/routes/leases.ts'
import { longestLeaseMs, usualLeaseMs } from '../../contract/lease-limits.ts'
import { holderName } from '../../contract/lease-text.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import { agentOnly, asked, quoted, tool } from '../../mcp/tool.ts'

const minuteMs = 60_000
const glob = LeaseGlob.describe('files from the top of your work tree, like src/parser/**; a directory means all in it')
const minutes = z
  .number()
  .min(1)
  .max(longestLeaseMs / minuteMs)
  .default(usualLeaseMs / minuteMs)
  .describe('for how long; it can be renewed')
/** A long list would fill the context of the caller. */
const mostListed = 50

export const leaseTools = (handlers: Handlers<typeof leaseRoutes>) => ({
  take_lease: tool({
    description:
      'Takes files for yourself before you change them: changes by other agents are denied until you release them or the time is over. If somebody else holds them you are told who, and until when. Take no more than you need, and release it when you are done.',
    input: z.object({
      glob,
      mode: LeaseMode.default('exclusive').describe('shared: nobody takes them exclusively meanwhile'),
      minutes,
      why: LeaseWhy.optional().describe('what for, in a few words'),
    }),
    isReadOnly: false,
    isFree: true,
    run: async (caller, { glob: files, mode, minutes: length, why }) => {
      const wanted = { cwd: caller.cwd, glob: files, mode, ttlMs: length * minuteMs, why, waitMs: 0 }
      return `You hold ${lineOf(await handlers.takeLease(asked(agentOnly(caller), wanted)))}`
    },
  }),
  renew_lease: tool({
    description: 'Makes a lease of yours longer, from now on.',
    input: z.object({ lease: LeaseGlob.describe('its glob, or lease_…'), minutes }),
    isReadOnly: false,
    isFree: true,
    run: async (caller, { lease, minutes: length }) => {
      const wanted = { cwd: caller.cwd, lease, ttlMs: length * minuteMs }
      return `You hold ${(await handlers.renewLease(asked(agentOnly(caller), wanted))).map(lineOf).join('\n')}`
    },
  }),
  release_lease: tool({
    description: 'Gives a lease of yours back, so that others can change the files.',
    input: z.object({ lease: LeaseGlob.describe('its glob, or lease_…') }),
    isReadOnly: false,
    isFree: true,
    run: async (caller, { lease }) => {
      const released = await handlers.releaseLease(asked(agentOnly(caller), { cwd: caller.cwd, lease }))
      return released.map((one) => `${one.glob} is released.`).join('\n')
    },
  }),
  list_leases: tool({
    description: 'Lists who holds which files of this project, for what and until when.',
    input: z.object({}),
    isReadOnly: true,
    isFree: true,
    run: async (caller) => listText(await handlers.leases(asked(caller.actor, { cwd: caller.cwd, all: false }))),
  }),
})

const listText = (leases: LeaseView[]): string => {
  if (leases.length === 0) return 'There are no leases here.'
  const more = leases.length > mostListed ? [`… and ${leases.length - mostListed} more.`] : []
  return [
    ...leases
      .slice(0, mostListed)
      .map((lease) => `${holderName(lease.holder)}: ${lineOf(lease)} in ${quoted(lease.root)}`),
    ...more,
  ].join('\n')
}

const lineOf = ({ glob: files, mode, until, why }: LeaseView): string => {
  const what = why === null || why === '' ? '' : ` for ${quoted(why)}`
  return `${files} (${mode})${what} until ${new Date(until).toISOString()}`
}
