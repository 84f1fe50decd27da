import type { KnownFailure } from './known.ts'

/** Variables, logins and configuration that are expected around the command. */
export const environment: readonly KnownFailure[] = [
  {
    name: 'variable-unset',
    output: [
      /: (?<variable>[A-Za-z_]\w*): unbound variable$/m,
      /: (?<variable>[A-Za-z_]\w*): parameter (?:not set|null or not set)$/m,
    ],
    means: 'The script uses the variable {variable}, which is not set.',
    run: ['grep -n "{variable}" .env.example'],
    sample: { command: 'bash deploy.sh', exit: 1, output: 'deploy.sh: line 4: API_URL: unbound variable' },
  },
  {
    name: 'environment-missing',
    general: true,
    output: [
      /(?:[Mm]issing(?: required)?|[Rr]equired) env(?:ironment)?(?: variables?)?:? [`'"]?(?<variable>[A-Z][A-Z0-9_]{2,})/,
      /[`'"]?(?<variable>[A-Z][A-Z0-9_]{2,})[`'"]? (?:environment variable )?(?:is not set|is required|is missing|must be set)\b/,
      /Environment variable not found: (?<variable>[A-Z][A-Z0-9_]{2,})/,
      /File "<frozen os>", line \d+, in __getitem__\n(?:.*\n)?KeyError: '(?<variable>[A-Z][A-Z0-9_]{2,})'/,
    ],
    means: 'The program wants the environment variable {variable}, which is not set here.',
    run: ['printenv {variable} | wc -c', 'ls -a .env*'],
    sample: {
      command: 'npm run start',
      exit: 1,
      output:
        'Error: Missing required environment variable: DATABASE_URL\n    at loadConfig (/srv/app/config.js:12:11)',
    },
  },
  {
    name: 'aws-credentials',
    output: [
      /Unable to locate credentials|NoCredentialsError|The security token included in the request is (?:invalid|expired)|ExpiredToken(?:Exception)?\b|Error loading SSO Token|Token has expired and refresh failed/,
    ],
    means: 'There is no valid login for AWS here.',
    run: ['aws configure list', 'aws sts get-caller-identity'],
    sample: {
      command: 'aws s3 ls',
      exit: 253,
      output: 'Unable to locate credentials. You can configure credentials by running "aws configure".',
    },
  },
  {
    name: 'gcloud-credentials',
    output: [
      /Could not automatically determine credentials|Your default credentials were not found|You do not currently have an active account selected|Reauthentication (?:failed|required)/,
    ],
    means: 'There is no valid login for Google Cloud here.',
    run: ['gcloud auth list', 'gcloud config list'],
    sample: {
      command: 'gcloud run services list',
      exit: 1,
      output:
        'ERROR: (gcloud.run.services.list) You do not currently have an active account selected.\nPlease run:\n\n  $ gcloud auth login',
    },
  },
  {
    name: 'kubernetes-unreachable',
    output: [
      /The connection to the server \S+ was refused - did you specify the right host or port|Unable to connect to the server: |couldn't get current server API group list/,
    ],
    means: 'No Kubernetes cluster answers: none is running, or the context points to another one.',
    run: ['kubectl config current-context', 'kubectl config get-contexts'],
    sample: {
      command: 'kubectl get pods',
      exit: 1,
      output: 'The connection to the server localhost:8080 was refused - did you specify the right host or port?',
    },
  },
  {
    name: 'kubernetes-not-found',
    output: [/Error from server \(NotFound\): (?<kind>[\w.]+) "(?<name>[^"\n]+)" not found/],
    means: 'The cluster has no {kind} {name} in this namespace.',
    run: ['kubectl get {kind} --all-namespaces', 'kubectl config get-contexts'],
    sample: { command: 'kubectl logs api-1', exit: 1, output: 'Error from server (NotFound): pods "api-1" not found' },
  },
  {
    name: 'terraform-init',
    output: [
      /Backend initialization required|Error: (?:Inconsistent dependency lock file|Required plugins are not installed|Module not installed)|Please run "terraform init"/,
    ],
    means: 'The directory was not initialised for Terraform, or its providers have changed since.',
    run: ['terraform init'],
    sample: {
      command: 'terraform plan',
      exit: 1,
      output:
        'Error: Backend initialization required, please run "terraform init"\n\nReason: Initial configuration of the requested backend "s3"',
    },
  },
  {
    name: 'terraform-lock',
    output: [/Error acquiring the state lock/],
    means: 'Another Terraform run holds the lock of the state, or one ended without giving it back.',
    run: ['terraform version'],
    sample: {
      command: 'terraform apply',
      exit: 1,
      output:
        'Error: Error acquiring the state lock\n\nError message: ConditionalCheckFailedException: The conditional request failed\nLock Info:\n  ID:        8f2c',
    },
  },
  {
    name: 'tool-version-missing',
    output: [
      /pyenv: version `(?<version>[^'\n]+)' is not installed/,
      /pyenv: (?<program>[\w.-]+): command not found/,
      /No version is set for command (?<program>[\w.-]+)/,
      /mise (?:ERROR|WARN) +missing: (?<tool>\S+)/,
      /rbenv: version `(?<version>[^'\n]+)' is not installed/,
      /N\/A: version "(?<version>[^"\n]+)" is not yet installed/,
    ],
    means: 'The version manager has not installed the version that this directory asks for.',
    run: ['cat .tool-versions .python-version .nvmrc .ruby-version mise.toml'],
    sample: {
      command: 'python app.py',
      exit: 1,
      output: "pyenv: version `3.12.4' is not installed (set by /srv/app/.python-version)",
    },
  },
  {
    name: 'mise-untrusted',
    output: [/Config files? in \S+ (?:are|is) not trusted|mise\.toml is not trusted/],
    means: 'mise does not use the configuration of this directory until somebody trusts it.',
    run: ['mise trust --show', 'cat mise.toml'],
    sample: {
      command: 'mise run test',
      exit: 1,
      output:
        'mise ERROR error parsing config file: /srv/app/mise.toml\nmise ERROR Config files in /srv/app/mise.toml are not trusted.\nTrust them with `mise trust`.',
    },
  },
]
