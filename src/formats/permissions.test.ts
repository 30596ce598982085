// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of workflows and scripts are what is tested
// What a file may do, over a corpus: each place where the formats name something, and each way to hide it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bound, config, fixture, org, packaged, script, site, told, workflow } from '../../test/permissions.ts'
import { permissionsOf } from './permissions.ts'

describe('What the fixtures may do', () => {
  it('an automation: its domains and its steps', () => {
    const text = JSON.stringify(fixture('automation'))
    const files = [{ path: 'automation.json', text }]
    assert.deepEqual(told({ kind: 'automation', files }), ['site: berths.example', 'step: extract', 'step: navigate'])
  })

  it('a workflow: the automation it needs, when it starts, and its nodes', () => {
    assert.deepEqual(told({ kind: 'workflow', definition: fixture('workflow-morning-digest') }), [
      'connector: harbor-board',
      'schedule: trigger.cron expr 0 7 * * *',
      'step: harbor-board.list_berths',
    ])
  })

  it('an org: commands, providers, tokens and models, and anything where a role has no policy', () => {
    const all = ['site: any site', 'step: any step', 'step: git commit', 'step: git push', 'step: git read']
    assert.deepEqual(told({ kind: 'org', definition: fixture('org-minimal') }), [
      ...all,
      'step: read file *',
      'step: write file *',
    ])
    const desk = told({ kind: 'org', definition: fixture('org-invoice-desk') })
    for (const line of [
      'script: test -d inbox',
      'model: some-model',
      'schedule: 0 7 * * 1-5',
      'step: write file out/**',
    ]) {
      assert.ok(desk.includes(line), line)
    }
    const mesh = told({ kind: 'org', definition: fixture('org-support-mesh') })
    for (const line of ['secret: T', 'site: 127.0.0.1', 'connector: opencode']) assert.ok(mesh.includes(line), line)
  })
})

describe('What is nothing that a file may do', () => {
  const schema = 'https://guildhall.example/schemas/workflow/v1.json'
  it('the schema that a file names for its editor', () => {
    const sites = (definition: object, kind: 'workflow' | 'org') =>
      permissionsOf({ kind, definition: { $schema: schema, ...definition } }).filter(({ type }) => type === 'site')
    assert.deepEqual(sites({ nodes: [] }, 'workflow'), [])
    assert.deepEqual(sites({ roles: [] }, 'org'), [])
    const files = [{ path: 'automation.json', text: JSON.stringify({ $schema: schema, permissions: {}, actions: [] }) }]
    assert.deepEqual(
      permissionsOf({ kind: 'automation', files }).filter(({ type }) => type === 'site'),
      [],
    )
    const within = { nodes: [{ id: 'a', type: 'x', name: 'A', config: { $schema: schema } }] }
    assert.equal(sites(within, 'workflow').length, 1)
  })

  it('a start by hand is no schedule, unless it names a time', () => {
    const starts = (type: string, config: object = {}) =>
      permissionsOf({ kind: 'workflow', definition: { nodes: [{ id: 'a', type, name: 'A', config }] } })
    assert.deepEqual(starts('trigger.manual'), [])
    assert.equal(starts('trigger.manual', { every: '1h' })[0]?.type, 'schedule')
    assert.equal(starts('trigger.cron')[0]?.type, 'schedule')
  })
})

describe('Sites', () => {
  for (const [given, name] of [
    ['Example.COM', 'example.com'],
    ['https://example.com/path?q=1', 'example.com'],
    ['https://good.example@evil.example/', 'evil.example'],
    ['https://evil.example\\@good.example/', 'evil.example'],
    ['https:\\\\evil.example\\', 'evil.example'],
    ['https:evil.example', 'evil.example'],
    ['//evil.example/x', 'evil.example'],
    ['ht\ntps://evil.exam\tple/', 'evil.example'],
    ['example.com.', 'example.com'],
    ['example.com:8443', 'example.com'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://[::1]:80/', '[::1]'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.example.com', '*.example.com'],
    ['*://*.example.com/*', '*.example.com'],
    ['file:///etc/passwd', 'local files'],
    ['*', 'any site'],
    ['*://*/*', 'any site'],
    ['<all_urls>', 'any site'],
    ['', 'any site'],
    ['ex*mple.com', 'any site'],
    ['{{host}}.example.com', 'any site'],
    ['https://${host}/', 'any site'],
    ['https://{tenant}.example.com/', 'any site'],
    ['a b', 'any site'],
  ] as const) {
    it(`${JSON.stringify(given)} is ${name}`, () => assert.deepEqual(site(given), [`site: ${name}`]))
  }

  it('a path is the site of the automation itself', () => {
    assert.deepEqual(packaged({}, { 'actions/a.json': '{"steps":[{"step":"navigate","url":"/a/{b}"}]}' }), [
      'step: navigate',
    ])
  })

  it('any site, for a step that goes where only its run tells', () => {
    for (const url of ['{{url}}', '{url}', '${base}/x', undefined]) {
      assert.deepEqual(config({ url }, 'http.get'), ['site: any site', 'step: http.get'])
    }
    assert.deepEqual(config({ url: 'https://a.example/{{id}}' }, 'http.get'), ['site: a.example', 'step: http.get'])
  })

  it('every URL in any text counts, at any depth and in any list', () => {
    assert.deepEqual(config({ a: [{ b: [['see wss://deep.example/x, or http://[2001:db8::1]:8/']] }] }), [
      'site: [2001:db8::1]',
      'site: deep.example',
      'step: step.some',
    ])
  })

  it('domains that are no list of texts are any site', () => {
    for (const domains of [true, { 'a.example': {} }, [1]]) {
      assert.deepEqual(packaged({ site: { domains } }), ['site: any site'])
    }
  })
})

describe('Scripts', () => {
  it('every file that is no plain text or picture is a script, whatever it is called', () => {
    const files = {
      'bin/tool': '',
      'README.md': 'https://x.example',
      'a.png': undefined,
      'x.SVG': '',
      'scripts/b.js': '',
    }
    assert.deepEqual(
      packaged({}, files).filter((line) => line.startsWith('script')),
      ['script: bin/tool', 'script: scripts/b.js', 'script: x.SVG'],
    )
  })

  it('a script is one, whether it is declared by its name or by its path', () => {
    const given = packaged(
      { permissions: { steps: [], scripts: ['a', 'scripts/a.js', 'gone'] } },
      { 'scripts/a.js': '' },
    )
    assert.deepEqual(given, ['script: gone', 'script: scripts/a.js'])
  })

  it('what a script names counts', () => {
    assert.deepEqual(script("fetch('https://api.example/x')"), ['site: api.example'])
    assert.deepEqual(script('fetch(`https://api.example/${id}`)'), ['site: api.example'])
    assert.deepEqual(script("fetch('/same')"), [])
    assert.deepEqual(script('process.env.API_KEY; process.env["OTHER"]; process.env[x]'), [
      'secret: API_KEY',
      'secret: OTHER',
      'secret: any secret',
    ])
    assert.deepEqual(script('document.cookie; localStorage.x'), ['secret: browser storage', 'secret: cookies'])
  })

  for (const text of ['fetch(url)', "fetch('htt' + rest)", 'fetch(`${base}/x`)', 'new WebSocket(x)', 'location = x']) {
    it(`any site: ${text}`, () => assert.deepEqual(script(text), ['site: any site']))
  }
  for (const text of ['img.src = x', 'window.open(x)', 'new XMLHttpRequest()', 'import(x)', 'fetch("//" + x)']) {
    it(`any site: ${text}`, () => assert.deepEqual(script(text), ['site: any site']))
  }
  for (const text of ['eval(x)', 'new Function(x)', "window['fe' + 'tch'](x)", '\\u0066etch(x)', "setTimeout('x')"]) {
    it(`any script and site: ${text}`, () =>
      assert.ok(['script: any script', 'site: any site'].every((line) => script(text).includes(line))))
  }

  it('code in a node has the name of the node, a command its own words', () => {
    assert.deepEqual(config({ code: 'return 1' }, 'code.run'), ['script: code in One', 'step: code.run'])
    assert.deepEqual(config({ command: 'rm -r $HOME' }, 'shell.run'), ['script: rm -r $HOME', 'step: shell.run'])
    assert.deepEqual(config({ script: 'x/y.py' }), ['script: x/y.py', 'step: step.some'])
    assert.deepEqual(config({ code: 'fetch(x)' }), ['script: code in One', 'site: any site', 'step: step.some'])
  })

  it('a script that is too large or no text may do anything', () => {
    assert.deepEqual(packaged({}, { 'scripts/a.js': undefined }), [
      'script: scripts/a.js',
      'secret: any secret',
      'site: any site',
    ])
  })
})

describe('Secrets, models, connectors, downloads and schedules', () => {
  it('secrets have names; what may be a secret itself is never told', () => {
    assert.deepEqual(config({ apiKeyEnv: 'KEY', password: 'hunter2', credentials: { slackApi: { id: '1' } } }), [
      'secret: KEY',
      'secret: password',
      'secret: slackApi',
      'step: step.some',
    ])
    assert.deepEqual(config({ headers: { Authorization: 'Bearer {{ secrets.TOKEN }}' }, x: '${env["A"]}' }), [
      'secret: A',
      'secret: TOKEN',
      'step: step.some',
    ])
    assert.deepEqual(config({ x: '{{ secrets[name] }}' }), ['secret: any secret', 'step: step.some'])
    assert.deepEqual(config({ tokenEnv: '{{x}}' }), ['secret: any secret', 'step: step.some'])
  })

  it('models by name, any model where a run tells', () => {
    assert.deepEqual(config({ model: 'm-1', models: ['m-2', { id: 'm-3' }] }), [
      'model: m-1',
      'model: m-2',
      'model: m-3',
      'step: step.some',
    ])
    assert.deepEqual(config({ model: '{{x}}' }, 'model.write'), ['model: any model', 'step: model.write'])
    assert.deepEqual(config({}, 'model.write'), ['model: any model', 'step: model.write'])
  })

  it('connectors: automations, servers of tools, what is called and what is required', () => {
    const given = workflow([], {
      automations: { b: { mpkg: '' } },
      unbundledAutomations: { c: {} },
      settings: { mcpServers: { git: {} } },
    })
    assert.deepEqual(given, ['connector: b', 'connector: c', 'connector: git'])
    const manifest = {
      requires: { native: 'spooler', fragments: ['f'], other: 'o' },
      permissions: { steps: [], callActions: ['x.y', 1] },
    }
    assert.deepEqual(packaged(manifest), [
      ...['connector: any connector', 'connector: other o', 'connector: spooler', 'connector: x.y'],
      'script: fragment f',
    ])
  })

  it('an automation inside of a workflow brings what it may do; unread it may do anything', () => {
    const definition = { nodes: [], automations: { b: { mpkg: 'UEsDB' } } }
    const files = [{ path: 'automation.json', text: '{"site":{"domains":["b.example"]}}' }]
    assert.deepEqual(told({ kind: 'workflow', definition, packages: new Map([['b', files]]) }), [
      'connector: b',
      'site: b.example',
    ])
    const unread = told({ kind: 'workflow', definition })
    for (const type of ['site', 'script', 'step', 'secret', 'download'])
      assert.ok(unread.includes(`${type}: any ${type}`))
  })

  it('downloads by declaration, by step and by field', () => {
    assert.deepEqual(packaged({ permissions: { steps: [], downloads: true } }), ['download: any download'])
    assert.deepEqual(packaged({ permissions: { steps: [], downloads: ['*.csv'] } }), ['download: *.csv'])
    assert.deepEqual(packaged({ permissions: { steps: [], downloads: false } }), [])
    assert.deepEqual(config({}, 'file.download'), ['download: any download', 'step: file.download'])
  })

  it('triggers with when they start', () => {
    assert.deepEqual(config({ cron: '* * * * *' }, 'trigger.cron'), ['schedule: trigger.cron cron * * * * *'])
    assert.deepEqual(config({ cron: '{{x}}' }, 'trigger.cron'), ['schedule: any schedule'])
    assert.deepEqual(config({}, 'trigger.webhook'), ['schedule: trigger.webhook'])
    assert.deepEqual(org({ policy: bound }, { schedule: 60 }), ['schedule: 60'])
  })
})
