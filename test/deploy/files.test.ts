// What is in deploy is right, as far as the programs that read it say so: nginx, Caddy, systemd, and rules for containers and Kubernetes.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { settingNames } from '../../src/config/settings.ts'
import { withFolder } from '../server.ts'

const there = (program: string) => spawnSync('which', [program]).status === 0
const unless = (program: string) => (there(program) ? false : `install ${program} to run this`)
const read = (path: string) => readFileSync(join('deploy', path), 'utf8')

function run(program: string, args: string[], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', ...(cwd && { cwd }) })
  assert.equal(status, 0, `${program} ${args.join(' ')}:\n${stdout}${stderr}`)
  return stdout + stderr
}

/** Nested values of a document of YAML, untyped as it is. */
// biome-ignore lint/suspicious/noExplicitAny: it is checked by what is asserted of it
const yamlIn = (path: string): any[] =>
  parseAllDocuments(read(path)).map((document) => {
    assert.deepEqual(document.errors, [], path)
    return document.toJS()
  })

describe('the proxies', () => {
  for (const path of ['nginx/guildhall.conf', 'container/nginx.conf']) {
    it(`nginx takes ${path}`, { skip: unless('nginx') }, () =>
      withFolder(async (folder) => {
        await mkdir(join(folder, 'tls'))
        const subject = ['-subj', '/CN=guild.example', '-days', '1', '-nodes', '-newkey', 'rsa:2048']
        run('openssl', ['req', '-x509', ...subject, '-keyout', 'tls/privkey.pem', '-out', 'tls/fullchain.pem'], folder)
        const text = read(path).replaceAll('/etc/nginx', folder).replace('server guildhall:', 'server 127.0.0.1:')
        await writeFile(join(folder, 'site.conf'), text)
        const main = `pid ${folder}/pid; error_log stderr;\nevents {}\nhttp { include ${folder}/site.conf; }\n`
        await writeFile(join(folder, 'nginx.conf'), main)
        assert.match(run('nginx', ['-t', '-c', join(folder, 'nginx.conf')]), /test is successful/)
      }),
    )
  }

  it('Caddy takes its file', { skip: unless('caddy') }, () => {
    run('caddy', ['validate', '--adapter', 'caddyfile', '--config', 'deploy/caddy/Caddyfile'])
  })
})

describe('the units of systemd', { skip: unless('systemd-analyze') }, () => {
  it('are in order, and leave a break-in little', () =>
    withFolder(async (folder) => {
      const names = ['guildhall.service', 'guildhall.socket', 'guildhall-backup.service']
      for (const name of names) await copyFile(join('deploy/systemd', name), join(folder, name))
      for (const name of names.filter((one) => one.endsWith('.service'))) {
        const text = read(`systemd/${name}`).replace('/opt/guildhall/guildhall-server', process.execPath)
        await writeFile(join(folder, name), text)
      }
      run('systemd-analyze', ['verify', '--man=no', '--generators=no', ...names.map((name) => join(folder, name))])
      const security = run('systemd-analyze', [
        ...['security', '--offline=true', '--threshold=20', '--no-pager'],
        join(folder, 'guildhall.service'),
      ])
      assert.match(security, /Overall exposure level for guildhall\.service: [01]\.\d OK/)
    }))
})

describe('the container', () => {
  it('is built in stages, and runs without rights and with a check of its health', () => {
    const text = read('container/Containerfile')
    assert.equal(text.match(/^FROM /gm)?.length, 2)
    assert.match(text, /^USER 10001:10001$/m)
    assert.match(text, /^HEALTHCHECK .*\\\n {4}CMD \["\/opt\/guildhall\/runtime\/node"/m)
    assert.match(text, /^ENTRYPOINT \["\/opt\/guildhall\/guildhall-server"\]$/m)
    assert.doesNotMatch(text, /^ADD |:latest/m)
    if (there('hadolint')) run('hadolint', ['deploy/container/Containerfile'])
  })

  it('has a composition with PostgreSQL, a store and nginx, whose settings exist', () => {
    const [{ services, volumes }] = yamlIn('container/compose.yaml')
    assert.deepEqual(Object.keys(services), ['guildhall', 'postgres', 'store', 'bucket', 'nginx'])
    const { environment, read_only, cap_drop, volumes: mounts } = services.guildhall
    assert.deepEqual([read_only, cap_drop], [true, ['ALL']])
    assert.deepEqual(unknown(Object.keys(environment)), [])
    assert.deepEqual(unknown(namesIn(read('container/guildhall.env.example'))), [])
    for (const mount of mounts) assert.ok(mount.split(':')[0] in volumes, mount)
    for (const { depends_on: needs = [] } of Object.values<{ depends_on?: object }>(services)) {
      for (const name of Array.isArray(needs) ? needs : Object.keys(needs)) assert.ok(name in services, name)
    }
  })
})

const known = new Set<string>([...settingNames, 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
const unknown = (names: string[]) => names.filter((name) => !known.has(name))
const namesIn = (text: string) => text.split('\n').flatMap((line) => line.match(/^\w+(?==)/)?.[0] ?? [])

/** A program whose types are right when the objects are what Kubernetes takes. */
function programOf(objects: readonly { apiVersion: string; kind: string }[]): string {
  const groupOf = (apiVersion: string) => (apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', ''))
  return objects
    .map((object, at) => {
      const type = `import('kubernetes-types/${groupOf(object.apiVersion)}').${object.kind}`
      return `export const object${at}: ${type} = ${JSON.stringify(object)}\n`
    })
    .join('')
}

describe('the manifests of Kubernetes', () => {
  const objects = yamlIn('kubernetes/guildhall.yaml')
  const of = (kind: string) => objects.find((object) => object.kind === kind)

  it('name settings that exist, and each other', () => {
    assert.deepEqual(unknown([...Object.keys(of('ConfigMap').data), ...Object.keys(of('Secret').stringData)]), [])
    const labels = of('Deployment').spec.template.metadata.labels
    for (const kind of ['Service', 'PodDisruptionBudget']) {
      const { selector } = of(kind).spec
      assert.deepEqual(selector.matchLabels ?? selector, labels, kind)
    }
    for (const { http } of of('Ingress').spec.rules) {
      assert.equal(http.paths[0].backend.service.name, of('Service').metadata.name)
    }
    if (there('kubeconform')) run('kubeconform', ['-strict', 'deploy/kubernetes/guildhall.yaml'])
  })

  it('have no field that Kubernetes does not know, and no value of another type', () => {
    const folder = mkdtempSync(join('node_modules/.cache', 'manifests-'))
    try {
      writeFileSync(join(folder, 'right.ts'), programOf(objects))
      // A name that is slightly wrong is found.
      writeFileSync(join(folder, 'wrong.ts'), programOf(objects).replace('"readinessProbe"', '"readynessProbe"'))
      const flags = ['--noEmit', '--strict', '--skipLibCheck', '--singleThreaded', '--ignoreConfig']
      const files = ['right.ts', 'wrong.ts'].map((name) => join(folder, name))
      const compiler = 'node_modules/typescript/bin/tsc'
      const options = [...flags, '--module', 'esnext', '--moduleResolution', 'bundler', ...files]
      const { stdout } = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' })
      const errors = stdout.split('\n').filter((line) => / error TS/.test(line))
      assert.deepEqual([errors.length, /wrong\.ts.*readynessProbe/.test(errors[0] ?? '')], [1, true], stdout)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('run it without rights, ask what it answers, and stop it slower than it drains', () => {
    const { containers, securityContext, terminationGracePeriodSeconds } = of('Deployment').spec.template.spec
    const [{ securityContext: own, readinessProbe, livenessProbe }] = containers
    assert.deepEqual(
      [securityContext.runAsNonRoot, own.readOnlyRootFilesystem, own.capabilities.drop],
      [true, true, ['ALL']],
    )
    assert.deepEqual([readinessProbe.httpGet.path, livenessProbe.httpGet.path], ['/readyz', '/healthz'])
    assert.ok(terminationGracePeriodSeconds > Number(of('ConfigMap').data.DRAIN_SECONDS) + 20)
  })
})
