// Webhooks in the form of services of chat: what each is sent, by types and readers that others wrote, and what its answers mean.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { AnyBlock } from '@slack/types'
import { AdaptiveCard, type RichTextBlock, SerializationContext, type TextRun } from 'adaptivecards'
import type { RESTPostAPIWebhookWithTokenJSONBody } from 'discord-api-types/v10'
import MarkdownIt from 'markdown-it'
import { type Arrived, home, type Receiver, receiving } from '../../../test/webhook-receiver.ts'
import { lastOf } from '../../../test/webhooks.ts'
import { BASE_URL, onEveryEngine, type World } from '../../../test/world.ts'
import { MAX_TEMPLATE } from '../../contract/webhook-events.ts'
import { type ChatFormat, LIMITS, type messages } from '../../formats/chat.ts'

type Sent<Format extends ChatFormat> = ReturnType<(typeof messages)[Format]>

const CHATS = ['slack', 'discord', 'mattermost', 'matrix', 'teams'] as const
const ROOM = '/_matrix/client/v3/rooms/!abc:example.com'
const TOKEN = 'syt_secret_token'
const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

/** Titles that would ping, link under other words, or break out of the form. */
const HOSTILE = [
  '<!channel> <!here> <@U123> <https://evil.example|words>',
  '@everyone @here @channel @all <@&123> <@123> <#9>',
  '[words](https://evil.example) ![i](https://evil.example) **b** ||s|| `c`',
  '</a><script>alert(1)</script> &lt;!channel&gt; "},{"x":"',
  '{url} {title} {nothing} \\[a\\](b) \\',
  'www.evil.example https://evil.example mailto:a@evil.example :smile: $x^2$ $$y$$ a=b',
]

/** The answer that each service documents. */
const taken: Record<ChatFormat, (response: ServerResponse) => void> = {
  slack: (response) => response.writeHead(200).end('ok'),
  discord: (response) => response.writeHead(204).end(),
  mattermost: (response) => response.writeHead(200).end('ok'),
  matrix: (response) => response.writeHead(200).end('{"event_id":"$abc"}'),
  teams: (response) => response.writeHead(202).end(),
}

const answering = (receiver: Receiver, answer: (response: ServerResponse) => void) => {
  receiver.answer = (_request, response) => answer(response)
}

interface Scene extends World {
  receiver: Receiver
  id: string
}

/** A webhook of an admin in the form of a chat, with a server of it. */
const withChat = (world: World, format: ChatFormat, run: (scene: Scene) => Promise<void>, template?: string) =>
  receiving(async (receiver) => {
    world.dependencies.reach = home
    answering(receiver, taken[format])
    const url = format === 'matrix' ? receiver.url.replace('/hook', ROOM) : receiver.url
    const given = { ...(format === 'matrix' && { token: TOKEN }), ...(template !== undefined && { template }) }
    const { id } = await world.admin.webhooks.create({ url, format, ...given })
    await run({ ...world, receiver, id })
  })

async function settle({ app }: World): Promise<void> {
  await app.deliver()
  await app.sendWebhooks()
}

const bodyOf = <Format extends ChatFormat>(_: Format, arrived: Arrived | undefined): Sent<Format> =>
  JSON.parse(arrived?.body ?? 'null')

/** The types of `@slack/types` read it. */
function slackText(sent: Sent<'slack'>): string {
  const blocks: AnyBlock[] = sent.blocks
  assert.equal(blocks.length, 1)
  const [block] = sent.blocks
  const [section] = block?.elements ?? []
  const kinds = new Set(section?.elements.map(({ type }) => type))
  assert.ok([...kinds].every((kind) => kind === 'text' || kind === 'link'))
  assert.doesNotMatch(sent.text, /[<>]/)
  return section?.elements.map((one) => (one.type === 'link' ? one.url : one.text)).join('') ?? ''
}

/** What Discord shows: a backslash before a sign is left out (its own rule), and nothing else is read. */
function discordText(sent: RESTPostAPIWebhookWithTokenJSONBody): string {
  assert.deepEqual(sent.allowed_mentions, { parse: [] })
  const content = sent.content ?? ''
  assert.ok(content.length <= 2_000)
  const bare = content.replace(/<http:\/\/[^>\s\\]+>/g, '').replace(/\\[^0-9A-Za-z\s]/g, '')
  assert.doesNotMatch(bare, /[!-/:-@[-`{-~]/)
  return content.replace(/\\([^0-9A-Za-z\s])/g, '$1').replace(/<(http:[^>]+)>$/, '$1')
}

/** As a parser of Markdown of others reads it: paragraphs of text, with one address that is ours. */
function mattermostText({ text }: Sent<'mattermost'>): string {
  assert.doesNotMatch(text, /[<>]|@(?!\u200b)|(?<!\\)[[\]]|(?<!\\)\$|:(?!\/\/localhost|3000| )/)
  const markdown = new MarkdownIt({ html: true, linkify: true, breaks: true })
  const shown = markdown.parse(text, {}).flatMap(({ type, children }) => {
    assert.match(type, /^(?:paragraph_(?:open|close)|inline)$/)
    return (children ?? []).map(({ type: part, content, attrs }) => {
      assert.match(part, /^(?:text(?:_special)?|softbreak|link_(?:open|close))$/)
      if (part === 'link_open') assert.match(String(attrs?.[0]?.[1]), /^http:\/\/localhost:3000\//)
      return part === 'softbreak' ? '\n' : content
    })
  })
  return shown.join('').replaceAll('\u200b', '')
}

function matrixText(sent: Sent<'matrix'>): string {
  assert.equal(sent.format, 'org.matrix.custom.html')
  assert.deepEqual(sent['m.mentions'], {})
  const tags = sent.formatted_body.match(/<[^>]*>/g) ?? []
  for (const tag of tags) assert.match(tag, /^<(?:br|\/a|a href="http:\/\/localhost:3000[^"]*")>$/)
  return sent.body
}

/** The parser of Adaptive Cards reads it. */
function teamsText(sent: Sent<'teams'>): string {
  const [attachment] = sent.attachments
  assert.equal(attachment?.contentType, 'application/vnd.microsoft.card.adaptive')
  const card = new AdaptiveCard()
  const context = new SerializationContext()
  card.parse(attachment.content, context)
  assert.equal(context.eventCount, 0)
  assert.deepEqual(card.validateProperties().validationEvents, [])
  const lines = Array.from({ length: card.getItemCount() }, (_, at) => card.getItemAt(at) as RichTextBlock)
  return lines
    .map((line) =>
      Array.from({ length: line.getInlineCount() }, (_, at) => (line.getInlineAt(at) as TextRun).text ?? '').join(''),
    )
    .join('\n')
}

/** What a reader sees of what was sent. */
function seen(format: ChatFormat, arrived: Arrived | undefined): string {
  if (format === 'slack') return slackText(bodyOf(format, arrived))
  if (format === 'discord') return discordText(bodyOf(format, arrived))
  if (format === 'mattermost') return mattermostText(bodyOf(format, arrived))
  return format === 'matrix' ? matrixText(bodyOf(format, arrived)) : teamsText(bodyOf(format, arrived))
}

onEveryEngine('a webhook of a chat', (it) => {
  for (const format of CHATS) {
    it(`${format}: says what happened, and shows hostile titles as they are`, (world) =>
      withChat(world, format, async ({ alice, receiver, admin, id }) => {
        const { username } = (await alice.account()) as { username: string | null }
        for (const title of HOSTILE) {
          const { id: bug } = await alice.bugs.create({ ...crash, title })
          await settle(world)
          const lines = [`A bug was filed: ${title}`, ...(username ? [`by ${username}`] : []), 'It stops on start']
          const shown = seen(format, receiver.arrived.at(-1))
          assert.equal(shown, [...lines, `${BASE_URL}/community/bugs/${bug}`].join('\n'))
        }
        assert.equal(receiver.arrived.length, HOSTILE.length)
        const { state, event } = await lastOf(world, id)
        assert.deepEqual([state, event], ['delivered', 'bug.created'])
        const headers = receiver.arrived[0]?.headers ?? {}
        assert.equal(headers['webhook-signature'], undefined)
        assert.equal(headers.authorization, format === 'matrix' ? `Bearer ${TOKEN}` : undefined)
        assert.equal((await admin.webhooks.list({})).items[0]?.format, format)
      }))

    it(`${format}: keeps within the limit of the service, however often the template repeats a name`, (world) => {
      const template = `${'{title}{excerpt}'.repeat(124).padEnd(MAX_TEMPLATE - 6, 'x')}\n{url}`
      assert.equal(template.length, MAX_TEMPLATE)
      return withChat(
        world,
        format,
        async ({ alice, receiver }) => {
          await alice.bugs.create({ ...crash, title: '<*"'.repeat(30), description: '&_\\😀'.repeat(60) })
          await settle(world)
          const shown = seen(format, receiver.arrived.at(-1))
          assert.match(shown, /…/)
          assert.match(shown, /\nhttp:\/\/localhost:3000\/community\/bugs\/[\w-]+$/)
          const { body = '' } = receiver.arrived.at(-1) ?? {}
          const written = JSON.parse(body)
          const longest = { slack: written.text, discord: written.content, mattermost: written.text }
          const own = (longest as Record<string, string | undefined>)[format] ?? shown
          assert.ok(own.length <= LIMITS[format] && own.length > LIMITS[format] - 60, `${own.length}`)
          if (format === 'teams') assert.ok(Buffer.byteLength(body) <= 28 * 1024, `${Buffer.byteLength(body)}`)
          if (format === 'matrix') assert.ok(Buffer.byteLength(body) <= 65_000, `${Buffer.byteLength(body)}`)
        },
        template,
      )
    })
  }
})

onEveryEngine('a message that a template has nothing for', (it) => {
  for (const format of CHATS) {
    it(`${format}: is the default one, as services refuse an empty one`, (world) =>
      withChat(
        world,
        format,
        async (scene) => {
          await scene.admin.webhooks.test({ id: scene.id })
          await settle(scene)
          assert.match(scene.receiver.arrived.at(-1)?.body ?? '', /This webhook works/)
        },
        '{excerpt}',
      ))
  }
})

onEveryEngine('a line of a message', (it) => {
  const lines = [
    '- a',
    '+ b',
    '1. c',
    '2) d',
    '===',
    '---',
    '***',
    '# e',
    '> f',
    '    g',
    '| a | b |',
    '--- | ---',
    '$$',
    '```',
  ]
  for (const format of ['mattermost', 'discord'] as const) {
    it(`${format}: is no list, heading or line, also where it begins with one`, (world) =>
      withChat(
        world,
        format,
        async (scene) => {
          const { alice, receiver } = scene
          for (const title of lines) {
            await alice.bugs.create({ ...crash, title, description: title })
            await settle(scene)
            const shown = seen(format, receiver.arrived.at(-1))
            assert.equal(shown, `${title.trim()}\n${title.trim()}\n- one\n1. two\n${title.trim()}\n===`)
          }
        },
        '{title}\n{excerpt}\n- one\n1. two\n{title}\n===',
      ))
  }
})

onEveryEngine('a message of Matrix', (it) => {
  it('that it took is not sent again, and one that failed is', (world) =>
    withChat(world, 'matrix', async (scene) => {
      const { admin, alice, receiver, id } = scene
      await alice.bugs.create(crash)
      await settle(scene)
      const { id: deliveryId } = await lastOf(world, id)
      await assert.rejects(admin.webhooks.redeliver({ id, deliveryId }), { status: 409 })
      await settle(scene)
      assert.equal(receiver.arrived.length, 1)
      answering(receiver, (response) => response.writeHead(500).end())
      await admin.webhooks.test({ id })
      await settle(scene)
      const { id: failedId, state } = await lastOf(world, id)
      assert.equal(state, 'pending')
      answering(receiver, taken.matrix)
      await admin.webhooks.redeliver({ id, deliveryId: failedId })
      await settle(scene)
      assert.equal((await lastOf(world, id)).state, 'delivered')
      assert.equal(receiver.arrived.length, 3)
    }))

  it('of another chat is sent again, where each is a new one', (world) =>
    withChat(world, 'discord', async (scene) => {
      const { admin, alice, receiver, id } = scene
      await alice.bugs.create(crash)
      await settle(scene)
      await admin.webhooks.redeliver({ id, deliveryId: (await lastOf(world, id)).id })
      await settle(scene)
      assert.equal(receiver.arrived.length, 2)
    }))
})

onEveryEngine('the name of a board', (it) => {
  it('is in no preview of an item, which is in none', async ({ admin, alice }) => {
    const template = '{title} in {board}'
    const bodyFor = async (event: 'item.published' | 'bug.created') =>
      (await admin.webhooks.preview({ format: 'mattermost', template, event })).body
    assert.match(await bodyFor('bug.created'), /in Main/)
    assert.doesNotMatch(await bodyFor('item.published'), /Main/)
    const { body } = await alice.itemWebhooks.preview({ format: 'mattermost', template })
    assert.doesNotMatch(body, /Main/)
  })

  it('that closed since is not told of what everybody was told', (world) =>
    withChat(
      world,
      'slack',
      async (scene) => {
        const { admin, receiver } = scene
        await admin.boards.create({ slug: 'layoffs', name: 'Layoffs 2027', readers: 'roles: admin' })
        const { id } = await admin.bugs.create(crash)
        await settle(scene)
        assert.match(receiver.arrived.at(-1)?.body ?? '', / in Main/)
        await admin.boards.move({ type: 'bug', id, board: 'layoffs', confirm: true })
        await settle(scene)
        assert.ok(receiver.arrived.length > 1)
        assert.ok(receiver.arrived.every(({ body }) => !body.includes('Layoffs')))
      },
      '{event} in {board}',
    ))
})
