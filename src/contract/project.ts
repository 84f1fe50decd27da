import { z } from 'zod'
import { defineRecords } from './record-kind.ts'

/** By what a project is found again: its place, the address it is shared at, its first commit. */
export const aliasKinds = ['path', 'remote', 'root'] as const
export const AliasKind = z.enum(aliasKinds)
export type AliasKind = z.infer<typeof AliasKind>

/** `key` is a digest: an address or a path may hold a secret. `place` is the path, without its secrets. */
export const ProjectAlias = z.object({ kind: AliasKind, key: z.string(), place: z.string().nullable() })
export type ProjectAlias = z.infer<typeof ProjectAlias>

export const projectRecords = defineRecords(
  'projects',
  {
    /** A project is found by these from now on, and at the places `gone` no more. */
    'project.known': [1, z.object({ project: z.string(), aliases: z.array(ProjectAlias), gone: z.array(z.string()) })],
  },
  { isClean: true },
)
