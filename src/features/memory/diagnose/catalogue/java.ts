import type { KnownFailure } from './known.ts'

/** Java with Maven and Gradle. */
export const java: readonly KnownFailure[] = [
  {
    name: 'java-home',
    output: [
      /JAVA_HOME (?:is not set|environment variable is not defined correctly|is set to an invalid directory)/,
      /Unable to locate a Java Runtime/,
    ],
    means: 'No Java is found: it is not installed, or JAVA_HOME does not point to it.',
    run: ['command -v java', 'ls /usr/lib/jvm'],
    sample: {
      command: './gradlew build',
      exit: 1,
      output:
        "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.\n\nPlease set the JAVA_HOME variable in your environment to match the\nlocation of your Java installation.",
    },
  },
  {
    name: 'java-class-version',
    output: [
      /UnsupportedClassVersionError|Unsupported class file major version (?<version>\d+)|error: (?:invalid target release|release version (?<release>\d+) not supported)|invalid (?:source|target) release: (?<target>\S+)/,
    ],
    means: 'The code was built for, or asks for, a newer Java than the one that runs.',
    run: ['java -version', 'ls /usr/lib/jvm'],
    sample: {
      command: 'java -jar app.jar',
      exit: 1,
      output:
        'Exception in thread "main" java.lang.UnsupportedClassVersionError: app/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0',
    },
  },
  {
    name: 'java-class-missing',
    output: [/Error: Could not find or load main class (?<class>\S+)/, /Unable to access jarfile (?<jar>\S+)/],
    means: 'Java does not find the class or jar: not built yet, or another directory.',
    run: ['pwd', 'ls target build/libs'],
    sample: {
      command: 'java app.Main',
      exit: 1,
      output:
        'Error: Could not find or load main class app.Main\nCaused by: java.lang.ClassNotFoundException: app.Main',
    },
  },
  {
    name: 'maven-no-pom',
    output: [/requires a project to execute but there is no POM in this directory/],
    means: 'There is no pom.xml here: the command belongs into another directory.',
    run: ['git ls-files "*pom.xml"'],
    sample: {
      command: 'mvn -q compile',
      exit: 1,
      output:
        '[ERROR] The goal you specified requires a project to execute but there is no POM in this directory (/srv/app). Please verify you invoked Maven from the correct directory. -> [Help 1]',
    },
  },
  {
    name: 'maven-dependencies',
    output: [
      /Could not resolve dependencies for project|Non-resolvable (?:parent|import) POM|Could not find artifact (?<artifact>\S+)|Could not transfer artifact/,
    ],
    means:
      'Maven cannot get a dependency: offline, a private repository, or a module of this project that is not installed yet.',
    run: ['mvn -o dependency:tree', 'mvn -q install -DskipTests'],
    sample: {
      command: 'mvn package',
      exit: 1,
      output:
        '[ERROR] Failed to execute goal on project api: Could not resolve dependencies for project com.acme:api:jar:1.0: Could not find artifact com.acme:core:jar:1.0 in central (https://repo.maven.apache.org/maven2) -> [Help 1]',
    },
  },
  {
    name: 'maven-compile',
    obvious: true,
    output: [/\[ERROR\] COMPILATION ERROR/],
    means: 'The Java code does not compile; the first [ERROR] with a file and a line is the cause.',
    run: ['mvn -q -o compile'],
    sample: {
      command: 'mvn test',
      exit: 1,
      output:
        '[INFO] -------------------------------------------------------------\n[ERROR] COMPILATION ERROR : \n[ERROR] /srv/app/src/main/java/A.java:[3,9] incompatible types: String cannot be converted to int',
    },
  },
  {
    name: 'maven-tests',
    obvious: true,
    output: [/\[ERROR\] Tests run: \d+, Failures: (?<failures>\d+)|There are test failures\./],
    means: 'Some tests fail; target/surefire-reports has their output.',
    run: ['ls target/surefire-reports'],
    sample: {
      command: 'mvn test',
      exit: 1,
      output:
        '[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0\n[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project api: There are test failures.',
    },
  },
  {
    name: 'gradle-no-build',
    output: [/Directory '(?<path>[^'\n]+)' does not contain a Gradle build/],
    means: 'There is no Gradle build at {path}: the command belongs into another directory.',
    run: ['git ls-files "*build.gradle*" "*settings.gradle*"'],
    sample: {
      command: 'gradle build',
      exit: 1,
      output:
        "FAILURE: Build failed with an exception.\n\n* What went wrong:\nDirectory '/srv/app' does not contain a Gradle build.",
    },
  },
  {
    name: 'gradle-task-unknown',
    output: [/(?:Task|task) '(?<task>[\w:-]+)' not found in (?:root )?project/],
    means: 'There is no task {task} in this build.',
    run: ['./gradlew tasks --all', './gradlew projects'],
    sample: {
      command: './gradlew lnt',
      exit: 1,
      output:
        "FAILURE: Build failed with an exception.\n\n* What went wrong:\nTask 'lnt' not found in root project 'app'.",
    },
  },
  {
    name: 'gradle-dependencies',
    output: [
      /Could not resolve all (?:files|dependencies|artifacts|task dependencies) for configuration '(?<configuration>[^'\n]+)'/,
    ],
    means:
      'Gradle cannot get a dependency of {configuration}: offline, a private repository, or a version that does not exist.',
    run: ['./gradlew dependencies', './gradlew buildEnvironment'],
    sample: {
      command: './gradlew build',
      exit: 1,
      output:
        "* What went wrong:\nExecution failed for task ':compileJava'.\n> Could not resolve all files for configuration ':compileClasspath'.\n   > Could not find com.acme:core:1.0.",
    },
  },
  {
    name: 'gradle-lock',
    output: [/Timeout waiting to lock (?<what>[\w -]+)/],
    means: 'Another Gradle holds the lock of {what}.',
    run: ['./gradlew --status', 'jps -l'],
    sample: {
      command: './gradlew build',
      exit: 1,
      output:
        'Timeout waiting to lock build logic queue. It is currently in use by another Gradle instance.\nOwner PID: 4711',
    },
  },
  {
    name: 'javac-symbol',
    obvious: true,
    output: [/error: cannot find symbol[\s\S]{0,300}symbol:\s+(?<kind>\w+) (?<symbol>\w+)/],
    means: 'Java knows no {kind} {symbol}: an import or a dependency is missing, or it is misspelt.',
    run: ['git grep -n -w {symbol}'],
    sample: {
      command: 'javac A.java',
      exit: 1,
      output:
        'A.java:1: error: cannot find symbol\nclass A { void f() { int x = y; } }\n                             ^\n  symbol:   variable y\n  location: class A\n1 error',
    },
  },
  {
    name: 'gradle-failed',
    output: [/Execution failed for task '(?<task>[\w:-]+)'/],
    vague: true,
    means: 'The Gradle task {task} failed; the lines after "What went wrong" say why.',
    run: ['./gradlew {task} --stacktrace'],
    sample: {
      command: './gradlew build',
      exit: 1,
      output:
        "FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':test'.\n> There were failing tests. See the report at: file:///srv/app/build/reports/tests/test/index.html",
    },
  },
]
