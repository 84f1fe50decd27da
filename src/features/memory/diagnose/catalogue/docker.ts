import type { KnownFailure } from './known.ts'

export const docker: readonly KnownFailure[] = [
  {
    name: 'docker-daemon-down',
    output: [
      /Cannot connect to the Docker daemon at|failed to connect to the docker API|Is the docker daemon running\?/,
    ],
    means: 'The Docker daemon is not running, or the client looks for it elsewhere.',
    run: ['docker context ls', 'systemctl status docker'],
    sample: {
      command: 'docker ps',
      exit: 1,
      output: 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    },
  },
  {
    name: 'docker-permission',
    output: [/permission denied while trying to connect to the (?:Docker daemon socket|docker API)/],
    means: 'This user may not talk to the Docker daemon: it is not in the group docker.',
    run: ['id', 'ls -l /var/run/docker.sock'],
    sample: {
      command: 'docker ps',
      exit: 1,
      output:
        'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.47/containers/json": dial unix /var/run/docker.sock: connect: permission denied',
    },
  },
  {
    name: 'docker-port-taken',
    output: [
      /Bind for \S+?:(?<port>\d+) failed: port is already allocated/,
      /failed to bind host port (?:for )?\S*?:(?<port>\d+)/,
    ],
    means: 'Port {port} of this machine is already used, by another container or a program.',
    run: ['docker ps --filter publish={port}', 'lsof -i :{port}'],
    sample: {
      command: 'docker compose up -d',
      exit: 1,
      output:
        'Error response from daemon: driver failed programming external connectivity on endpoint web (4f2d): Bind for 0.0.0.0:5432 failed: port is already allocated',
    },
  },
  {
    name: 'docker-name-taken',
    output: [/The container name "\/?(?<name>[\w.-]+)" is already in use/],
    means: 'A container {name} exists already, running or stopped.',
    run: ['docker ps --all --filter name={name}', 'docker start {name}'],
    sample: {
      command: 'docker run --name db postgres',
      exit: 125,
      output:
        'docker: Error response from daemon: Conflict. The container name "/db" is already in use by container "1c2d3e". You have to remove (or rename) that container to be able to reuse that name.',
    },
  },
  {
    name: 'docker-image-unknown',
    output: [
      /pull access denied for (?<image>\S+?),|manifest for (?<name>\S+) not found|failed to resolve source metadata for/,
    ],
    means: 'The registry has no such image or tag, or it is private and nobody is logged in.',
    run: ['docker image ls', 'docker manifest inspect {image}'],
    sample: {
      command: 'docker pull acme/api',
      exit: 1,
      output:
        "Error response from daemon: pull access denied for acme/api, repository does not exist or may require 'docker login'",
    },
  },
  {
    name: 'docker-rate-limit',
    output: [/toomanyrequests: You have reached your (?:unauthenticated )?pull rate limit/],
    means: 'Docker Hub serves this address no more images for now; a login raises the limit.',
    run: ['docker image ls'],
    sample: {
      command: 'docker pull node:22',
      exit: 1,
      output:
        'Error response from daemon: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit',
    },
  },
  {
    name: 'docker-copy-missing',
    output: [
      /failed to calculate checksum of ref .*"(?<path>\/[^"\n]+)": not found|COPY failed: (?:file not found in build context|stat)/,
    ],
    means:
      'The Dockerfile copies {path}, which is not in the build context: another directory is built, or .dockerignore leaves it out.',
    run: ['cat .dockerignore', 'ls -la'],
    sample: {
      command: 'docker build .',
      exit: 1,
      output:
        'ERROR: failed to solve: failed to compute cache key: failed to calculate checksum of ref 3f2a::x1: "/package.json": not found',
    },
  },
  {
    name: 'docker-no-dockerfile',
    output: [/failed to read dockerfile: open (?<file>\S+): no such file/, /no configuration file provided: not found/],
    means: 'There is no Dockerfile or compose file here: the command belongs into another directory.',
    run: ['git ls-files "*Dockerfile*" "*compose*.y*ml"'],
    sample: { command: 'docker compose up', exit: 14, output: 'no configuration file provided: not found' },
  },
  {
    name: 'docker-no-container',
    output: [/No such container: (?<name>\S+)|service "(?<service>[^"\n]+)" is not running/],
    means: 'There is no such container running.',
    run: ['docker ps --all', 'docker compose ps'],
    sample: { command: 'docker exec api sh', exit: 1, output: 'Error response from daemon: No such container: api' },
  },
  {
    name: 'docker-wrong-platform',
    output: [/exec format error|does not match the (?:detected host|specified) platform/],
    means: 'The program or image is built for another kind of processor.',
    run: ['uname -m'],
    sample: {
      command: 'docker run acme/api',
      exit: 255,
      output: 'exec /usr/local/bin/docker-entrypoint.sh: exec format error',
    },
  },
  {
    name: 'docker-step-failed',
    output: [/failed to solve: process "(?<step>[^"\n]+)" did not complete successfully: exit code: (?<code>\d+)/],
    vague: true,
    means: 'A step of the build failed with exit code {code}; its own output is further up.',
    run: ['docker build --progress=plain .'],
    sample: {
      command: 'docker build .',
      exit: 1,
      output: 'ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2',
    },
  },
]
