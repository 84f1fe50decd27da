import { z } from 'zod'

const TrustOutput = z.object({
  directory: z.string().describe('the repository, or the directory itself'),
  items: z.array(
    z.object({
      by: z.string().describe('the agent CLI that would run it, or `team`'),
      file: z.string(),
      what: z.string().describe('like `hook SessionStart` or `MCP server db`'),
      command: z.string().describe('its command line, address or value'),
      trustedBy: z.enum(['cli', 'rein']).nullable().describe('who trusts it; null: not trusted, so it does not run'),
    }),
  ),
})
const TrustListOutput = z.object({
  directories: z.array(z.string()),
  damaged: z.array(z.number()).describe('lines of the file of trust that cannot be read, and make nothing trusted'),
})
const TrustRevokeOutput = z.object({
  directory: z.string(),
  revoked: z.number().describe('how many things are not trusted any more'),
})

/** The output of `rein trust --json`. */
export const trustOutputs = {
  'rein trust': TrustOutput,
  'rein trust --list': TrustListOutput,
  'rein trust --revoke': TrustRevokeOutput,
} as const

export type TrustListView = z.infer<typeof TrustListOutput>
export type TrustRevokeView = z.infer<typeof TrustRevokeOutput>
