import type { KnownFailure } from './known.ts'

/** What goes wrong on the way to another machine. */
export const network: readonly KnownFailure[] = [
  {
    name: 'dns',
    general: true,
    output: [
      /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (?<host>[\w.-]+)/,
      /Could not resolve host(?:name)?:? '?(?<host>[\w.-]+)/,
      /(?:Temporary failure in name resolution|Name or service not known|nodename nor servname provided)/,
      /lookup (?<host>[\w.-]+)(?: on \S+)?: (?:no such host|server misbehaving)/,
    ],
    means: 'The name of the other machine cannot be resolved: no network here, or a misspelt name.',
    run: ['getent hosts {host}', 'env | cut -d= -f1 | grep -i proxy'],
    sample: {
      command: 'curl -f https://api.example.invalid',
      exit: 6,
      output: 'curl: (6) Could not resolve host: api.example.invalid',
    },
  },
  {
    name: 'connection-refused',
    general: true,
    output: [
      /ECONNREFUSED (?<host>[\d.:a-f]+?):(?<port>\d{2,5})\b/,
      /Failed to connect to (?<host>[\w.-]+) port (?<port>\d{2,5})\b.*(?:refused|Couldn't connect)/,
      /dial tcp \S*:(?<port>\d{2,5}): connect: connection refused/,
      /ConnectionRefusedError: |\[Errno 111\] Connection refused/,
    ],
    means: 'Nothing listens at that address and port: the server is not started, or has ended.',
    run: ['ss -ltn', 'lsof -i :{port}'],
    sample: {
      command: 'curl http://localhost:8080/health',
      exit: 7,
      output: `curl: (7) Failed to connect to localhost port 8080 after 0 ms: Couldn't connect to server`,
    },
  },
  {
    name: 'network-timeout',
    general: true,
    output: [
      /\bETIMEDOUT\b|\bESOCKETTIMEDOUT\b|Connection timed out|Operation timed out after|i\/o timeout|ReadTimeoutError|ConnectTimeout|TLS handshake timeout|net\/http: request canceled/,
    ],
    means: 'The other side did not answer in time: a firewall, a proxy that is missing, or a slow network.',
    run: ['env | cut -d= -f1 | grep -i proxy'],
    sample: {
      command: 'pip download numpy',
      exit: 1,
      output: `pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='files.pythonhosted.org', port=443): Read timed out.`,
    },
  },
  {
    name: 'connection-lost',
    output: [
      /\bECONNRESET\b|Connection reset by peer|socket hang up|unexpected disconnect while reading sideband packet|RPC failed; curl \d+|The remote end hung up unexpectedly/,
    ],
    means: 'The connection broke off in the middle; once more often helps.',
    run: [],
    sample: {
      command: 'git clone https://github.com/acme/big.git',
      exit: 128,
      output:
        'error: RPC failed; curl 92 HTTP/2 stream 5 was not closed cleanly: CANCEL (err 8)\nfatal: the remote end hung up unexpectedly\nfatal: early EOF',
    },
  },
  {
    name: 'certificate',
    output: [
      /CERTIFICATE_VERIFY_FAILED|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT|SSL certificate problem|x509: certificate (?:signed by unknown authority|has expired|is valid for)|self[- ]signed certificate|PKIX path building failed|server certificate verification failed/,
    ],
    means:
      'The certificate of the other side is not trusted here: a company proxy with its own authority, a wrong clock, or an expired certificate.',
    run: ['date', 'env | cut -d= -f1 | grep -i -E "cert|ca_bundle|proxy"'],
    sample: {
      command: 'git fetch',
      exit: 128,
      output: `fatal: unable to access 'https://git.example.com/app.git/': SSL certificate problem: self-signed certificate in certificate chain`,
    },
  },
  {
    name: 'proxy',
    output: [
      /407 Proxy Authentication Required|Tunnel connection failed: \d+|Received HTTP code \d+ from proxy after CONNECT|ERR_PROXY_CONNECTION_FAILED|\bProxyError\b/,
    ],
    means: 'The proxy between here and the other machine refuses the connection.',
    run: ['env | cut -d= -f1 | grep -i proxy'],
    sample: {
      command: 'curl https://example.com',
      exit: 56,
      output: 'curl: (56) Received HTTP code 403 from proxy after CONNECT',
    },
  },
  {
    name: 'registry-login',
    output: [
      /npm (?:ERR!|error) code E40[13]|npm (?:ERR!|error) code ENEEDAUTH|ERR_PNPM_FETCH_40[13]|unauthorized: authentication required|no basic auth credentials|401 Client Error: Unauthorized/,
    ],
    means: 'The registry wants a login, or the login there is may not do this.',
    run: ['npm config get registry', 'npm whoami'],
    sample: {
      command: 'npm publish',
      exit: 1,
      output:
        'npm error code ENEEDAUTH\nnpm error need auth This command requires you to be logged in to https://registry.npmjs.org/\nnpm error need auth You need to authorize this machine using `npm adduser`',
    },
  },
  {
    name: 'rate-limited',
    output: [/HTTP(?: Error)? 429|429 Too Many Requests|API rate limit exceeded|secondary rate limit/],
    means: 'The other side was asked too often; it answers again after a while.',
    run: ['gh api rate_limit'],
    sample: { command: 'gh api user', exit: 1, output: 'gh: API rate limit exceeded for user ID 1. (HTTP 403)' },
  },
  {
    name: 'http-error',
    obvious: true,
    programs: ['curl', 'wget', 'http'],
    exits: [22, 8],
    output: [/The requested URL returned error: (?<status>\d{3})|ERROR (?<code>\d{3}):/],
    means: 'The server answered, but with an HTTP error.',
    run: [],
    sample: {
      command: 'curl -fsS http://localhost:8080/health',
      exit: 22,
      output: 'curl: (22) The requested URL returned error: 503',
    },
  },
]
