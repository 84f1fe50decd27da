import { createHmac } from 'node:crypto'

/** Whoever has it may write to this channel, until a token of a later version is made. */
export const channelToken = (secret: string, channel: string, version: number): string =>
  `${channel}.${version}.${createHmac('sha256', secret).update(`channel ${channel} ${version}`).digest('base64url')}`
