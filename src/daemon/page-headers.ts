/** The page may load and do only what this daemon serves. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types rein',
].join('; ')

/** A browser allows what is not named. */
const refusedFeatures = ['camera', 'microphone', 'geolocation', 'usb', 'serial', 'hid', 'payment']

/** On every answer of the port, whatever it answers: a browser may show each of them, and is to keep none but the files of the page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'permissions-policy': refusedFeatures.map((name) => `${name}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
