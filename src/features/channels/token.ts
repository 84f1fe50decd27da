import { createHmac } from 'node:crypto'

/** A token that permits writing to this channel until one of a later version is made. */
export const channelToken = (secret: string, channel: string, version: number): string =>
  `${channel}.${version}.${createHmac('sha256', secret).update(`channel ${channel} ${version}`).digest('base64url')}`
