// The slash command of Slack and Discord: who is believed, what it does, and for whom.
import assert from 'node:assert/strict'
import { verifyKey } from 'discord-interactions'
import { sql } from 'kysely'
import {
  CHAT_SETTINGS,
  codeIn,
  DISCORD_KEY,
  discordRequest,
  discordSent,
  post,
  saidTo,
  slackRequest,
  slackSent,
} from '../../../test/chats.ts'
import { setReaders } from '../../../test/private-world.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { MAX_CHAT_LINKS } from '../../contract/own-clients.ts'
import { engineOf } from '../../database/engine.ts'
import { limits } from '../../identity/rules.ts'
import { isOfSlack, MAX_AGE_SECONDS } from './serving.ts'

const crash = { title: 'Zwielicht crash', description: 'It stops on start', severity: 'high' } as const

/** A way to ask, by both chats. */
const chats = {
  slack: (world: World, verb: string, [words = '', text = '']: readonly string[] = []) =>
    slackRequest(world, [verb, words, text && `-- ${text}`].filter(Boolean).join(' '), {
      trigger_id: crypto.randomUUID(),
    }),
  discord: (world: World, verb: string, [words = '', text = '']: readonly string[] = []) =>
    discordRequest(world, verb, verb === 'bug' ? { title: words, text } : { words }),
}

async function linked(world: World, person: Person, ask = chats.slack) {
  return person.chatLinks.confirm({ code: codeIn(await saidTo(world, ask(world, 'link'))) })
}

const bugsOf = async ({ anonymous }: World) => (await anonymous.bugs.list({})).items

onEveryEngine(
  'the command of a chat',
  (it) => {
    for (const [name, ask] of Object.entries(chats)) {
      it(`${name}: searches what everybody sees, five things at most, without a link`, async (world) => {
        for (let n = 0; n < 6; n++)
          await world.alice.bugs.create({ ...crash, title: `Zwielicht ${n} <!channel> @everyone` })
        const said = (await saidTo(world, ask(world, 'search', ['Zwielicht']))).split('\n')
        assert.equal(said.length, 5)
        for (const line of said)
          assert.match(line, /^Zwielicht \d <!channel> @everyone: http:\/\/localhost:3000\/community\/bugs\/[\w-]+$/)
        assert.equal(await saidTo(world, ask(world, 'search', ['Unwort'])), 'Nothing was found.')
        assert.match(await saidTo(world, ask(world, 'search')), /what to search for/)
        assert.match(await saidTo(world, ask(world, 'dance')), /^Commands:/)
        assert.equal((await saidTo(world, ask(world, 'search', ['Zwielicht '.repeat(100)]))).split('\n').length, 5)
      })

      it(`${name}: files a bug as the account that confirmed the link`, async (world) => {
        const { alice } = world
        const bug = ask(world, 'bug', ['It crashes', 'When I start it'])
        assert.match(await saidTo(world, bug), /Link your account first/)
        assert.equal((await bugsOf(world)).length, 0)
        const said = await saidTo(world, ask(world, 'link'))
        const code = codeIn(said)
        assert.ok(said.endsWith(`${BASE_URL}/settings/chat?code=${code}`))
        const asked = { service: name, name: name === 'slack' ? 'mira, acme' : 'nelly' }
        assert.deepEqual(await alice.chatLinks.look({ code }), asked)
        const { id: _, createdAt: __, ...shown } = await alice.chatLinks.confirm({ code })
        assert.deepEqual(shown, asked)
        const filed = await saidTo(world, ask(world, 'bug', ['It crashes', 'When I start it -- today']))
        const [made] = await bugsOf(world)
        assert.equal(filed, `The bug was filed: ${BASE_URL}/community/bugs/${made?.id}`)
        const { title, description, severity, authorId, via } = await alice.bugs.get({ id: made?.id ?? '' })
        assert.deepEqual([title, description, severity], ['It crashes', 'When I start it -- today', 'medium'])
        assert.equal(authorId, (await alice.account()).id)
        assert.equal(via?.clientId, `urn:guildhall:chat:${name}`)
        assert.match(await saidTo(world, ask(world, 'bug', ['Only a title'])), /Say a title and a text/)
      })
    }

    it('slack: takes the dash of a phone for two hyphens', async (world) => {
      await linked(world, world.alice)
      await saidTo(world, slackRequest(world, 'bug One — two'))
      assert.equal((await bugsOf(world))[0]?.title, 'One')
    })

    it('discord: speaks the language of the chat, and of the account that is linked', async (world) => {
      const help = () => saidTo(world, discordRequest(world, 'dance', {}, { locale: 'de' }))
      assert.match(await help(), /^Befehle:/)
      await linked(world, world.alice, chats.discord)
      await world.alice.language.set({ language: 'en' })
      assert.match(await help(), /^Commands:/)
    })

    it('slack: speaks the language of the account that is linked, also where the answer comes late', async (world) => {
      await linked(world, world.alice)
      await world.alice.language.set({ language: 'de' })
      assert.match(await saidTo(world, slackRequest(world, 'dance')), /^Befehle:/)
      if (engineOf(world.db) === 'sqlite') return
      await world.db.transaction().execute(async (db) => {
        await sql`lock table "bug" in access exclusive mode`.execute(db)
        const asked = slackRequest(world, 'bug One -- two')
        assert.match(await saidTo(world, asked), /^Das dauert länger, als ein Chat wartet/)
      })
    })

    it('answers what a chat sends to find out whether the address is there', async (world) => {
      const now = String(Math.floor(world.clock.now() / 1_000))
      const ping = discordSent({ id: '1', type: 1 }, now)
      for (let n = 0; n < 2; n++) {
        const response = await post(world, ping)
        assert.deepEqual([response.status, await response.json()], [200, { type: 1 }])
      }
      assert.equal((await post(world, slackSent('ssl_check=1&token=x', now))).status, 200)
    })
  },
  CHAT_SETTINGS,
)

onEveryEngine(
  'a request of a chat',
  (it) => {
    it('that is forged, changed, old, of the future or without a signature is 401', async (world) => {
      for (const ask of [slackRequest(world, 'link'), discordRequest(world, 'link')]) {
        const names = Object.keys(ask.headers).filter((name) => name.startsWith('X-'))
        const [timestampName = '', signatureName = ''] = names
        const signature = ask.headers[signatureName] ?? ''
        const bad: Record<string, string | undefined>[] = [
          { [signatureName]: undefined },
          { [timestampName]: undefined },
          { [signatureName]: '' },
          { [signatureName]: signature.replace(/.$/, (one) => (one === '0' ? '1' : '0')) },
          { [signatureName]: signature.slice(0, -2) },
          { [signatureName]: 'v0=ü' },
          { [timestampName]: String(Number(ask.headers[timestampName]) + 1) },
          { [timestampName]: 'soon' },
        ]
        for (const change of bad) {
          const headers = Object.fromEntries(
            Object.entries({ ...ask.headers, ...change }).filter(
              (entry): entry is [string, string] => entry[1] !== undefined,
            ),
          )
          if (headers[signatureName] === 'v0=ü') headers[signatureName] = 'v0=%C3%BC'
          assert.equal((await post(world, { ...ask, headers })).status, 401, JSON.stringify(change))
        }
        assert.equal((await post(world, { ...ask, body: `${ask.body} ` })).status, 401)
        assert.equal((await post(world, ask)).status, 200)
      }
      world.clock.stop()
      for (const age of [MAX_AGE_SECONDS + 1, -MAX_AGE_SECONDS - 2]) {
        assert.equal((await post(world, slackRequest(world, 'link', {}, age))).status, 401, `${age}`)
        assert.equal((await post(world, discordRequest(world, 'link', {}, { age }))).status, 401, `${age}`)
      }
      for (const age of [MAX_AGE_SECONDS - 1, -MAX_AGE_SECONDS + 1]) {
        assert.equal((await post(world, slackRequest(world, 'link', {}, age))).status, 200, `${age}`)
        assert.equal((await post(world, discordRequest(world, 'link', {}, { age }))).status, 200, `${age}`)
      }
      assert.equal(
        (await post(world, slackSent('text=link', String(Math.floor(world.clock.now() / 1_000)), 'another secret')))
          .status,
        401,
      )
    })

    it('is taken as others sign it: by the example of Slack, and by a verifier of Discord', async (world) => {
      // From "Verifying requests from Slack".
      const body =
        'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
      const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
      assert.ok(isOfSlack(CHAT_SETTINGS.SLACK_SIGNING_SECRET, { timestamp: '1531420618', signature, body }))
      const { headers, body: sent } = discordRequest(world, 'link')
      const [time = '', signed = ''] = [headers['X-Signature-Timestamp'], headers['X-Signature-Ed25519']]
      assert.equal(await verifyKey(sent, signed, time, DISCORD_KEY), true)
    })

    it('counts once, however often and wherever it is sent again', async (world) => {
      await linked(world, world.alice)
      await linked(world, world.bob, chats.discord)
      for (const ask of [chats.slack, chats.discord]) {
        const before = (await bugsOf(world)).length
        const sent = ask(world, 'bug', [`Once ${before}`, 'Text'])
        const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await post(world, sent)).status))
        assert.deepEqual(statuses.toSorted(), [200, ...Array(9).fill(401)])
        world.clock.pass(MAX_AGE_SECONDS - 10)
        assert.equal((await post(world, sent)).status, 401)
        assert.equal((await bugsOf(world)).length, before + 1)
      }
    })

    it('that is no command is 400, and other methods are refused', async (world) => {
      const now = String(Math.floor(world.clock.now() / 1_000))
      for (const body of [
        '',
        'text=link',
        'team_id=T1&user_id=U%202&text=link',
        `team_id=T1&user_id=${'U'.repeat(65)}`,
      ]) {
        assert.equal((await post(world, slackSent(body, now))).status, 400, body)
      }
      for (const value of [{}, [], { type: 2 }, { type: 3, user: { id: '1' } }, { type: 2, user: { id: '../x' } }]) {
        assert.equal((await post(world, discordSent(value, now))).status, 400, JSON.stringify(value))
      }
      assert.equal((await world.anonymous.request('/api/chat/slack')).status, 405)
    })

    it('has a budget for each user of the chat', async (world) => {
      const { tries } = limits.commandsByChatUser
      world.clock.stop()
      for (let n = 0; n < tries; n++) assert.equal((await post(world, chats.slack(world, 'help'))).status, 200)
      // As all that is refused: seen by who asked, where another status is an error of the app.
      const over = await post(world, chats.slack(world, 'help'))
      assert.equal(over.status, 200)
      assert.match(await over.text(), /Too many|try again|later/i)
      assert.equal((await post(world, slackRequest(world, 'help', { user_id: 'U2' }))).status, 200)
    })
  },
  { ...CHAT_SETTINGS, RATE_LIMITS: 'on' },
)

onEveryEngine(
  'the link of a chat',
  (it) => {
    it('is made by who is signed in, once, within ten minutes', async (world) => {
      const { alice, bob, anonymous, clock } = world
      const code = codeIn(await saidTo(world, chats.slack(world, 'link')))
      await assert.rejects(anonymous.chatLinks.confirm({ code }), { status: 401 })
      await assert.rejects(anonymous.chatLinks.look({ code }), { status: 401 })
      await alice.chatLinks.confirm({ code })
      for (const person of [alice, bob]) {
        await assert.rejects(person.chatLinks.confirm({ code }), ({ status }: { status: number }) =>
          [404, 409].includes(status),
        )
      }
      for (const wrong of ['x', `${code}x`, code.slice(1), 'A'.repeat(2_000)]) {
        await assert.rejects(bob.chatLinks.confirm({ code: wrong }), { status: 404 })
      }
      const id = (await alice.chatLinks.list()).items[0]?.id ?? ''
      await alice.chatLinks.remove({ id })
      for (const again of [code, `${code}x`, `${code}=`]) {
        await assert.rejects(bob.chatLinks.confirm({ code: again }), { status: 404 }, 'it was used')
      }
      await assert.rejects(bob.chatLinks.confirm({ code: 'A'.repeat(2_001) }), { status: 400 })
      const late = codeIn(await saidTo(world, slackRequest(world, 'link', { user_id: 'U9' })))
      clock.pass(601)
      await assert.rejects(bob.chatLinks.confirm({ code: late }), { status: 404 })
    })

    it('is used by one of many that confirm it at once', async (world) => {
      for (let n = 0; n < 10; n++) {
        const code = codeIn(await saidTo(world, slackRequest(world, 'link', { user_id: `U${n}` })))
        const done = await Promise.allSettled(
          [world.alice, world.bob].map((person) => person.chatLinks.confirm({ code })),
        )
        assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
      }
    })

    it('of another account is not taken over, is removed by its owner alone, and ends with that', async (world) => {
      const { alice, bob } = world
      const { id } = await linked(world, alice)
      await assert.rejects(linked(world, bob), { status: 409 })
      await assert.rejects(bob.chatLinks.remove({ id }), { status: 404 })
      assert.deepEqual((await bob.chatLinks.list()).items, [])
      const { id: renewed } = await linked(world, alice)
      assert.deepEqual(
        (await alice.chatLinks.list()).items.map((one) => one.id),
        [renewed],
      )
      await alice.chatLinks.remove({ id: renewed })
      assert.match(await saidTo(world, chats.slack(world, 'bug', ['A', 'B'])), /Link your account first/)
      await linked(world, bob)
      // Of the same name in another workspace, and in another chat.
      for (const other of [
        slackRequest(world, 'bug A -- B', { team_id: 'T2' }),
        chats.discord(world, 'bug', ['A', 'B']),
      ]) {
        assert.match(await saidTo(world, other), /Link your account first/)
      }
    })

    it('does what the account may: nothing once it is blocked', async (world) => {
      const { alice, admin } = world
      await linked(world, alice)
      await admin.admin.block({ id: (await alice.account()).id, blocked: true })
      assert.match(await saidTo(world, chats.slack(world, 'bug', ['A', 'B'])), /This account is blocked/)
      assert.equal((await bugsOf(world)).length, 0)
    })

    it('is one of ten at most', async (world) => {
      for (let n = 0; n <= MAX_CHAT_LINKS; n++) {
        const code = codeIn(await saidTo(world, slackRequest(world, 'link', { user_id: `U${n}` })))
        if (n < MAX_CHAT_LINKS) await world.alice.chatLinks.confirm({ code })
        else await assert.rejects(world.alice.chatLinks.confirm({ code }), { status: 409 })
      }
    })

    it('is needed to search a private instance, of an account that reads it', async (world) => {
      await world.alice.bugs.create(crash)
      await setReaders(world, 'members')
      assert.match(await saidTo(world, chats.slack(world, 'search', ['Zwielicht'])), /Link your account first/)
      await linked(world, world.bob)
      assert.match(await saidTo(world, chats.slack(world, 'search', ['Zwielicht'])), /^Zwielicht crash: /)
    })

    it('is in the audit log, and its code is in no log', async (world) => {
      const { alice, admin } = world
      const { id } = await linked(world, alice)
      await alice.chatLinks.remove({ id })
      const acts = (await admin.admin.listAudit({})).items.map(({ action }) => action)
      assert.ok(acts.includes('chat.link') && acts.includes('chat.unlink'))
    })
  },
  CHAT_SETTINGS,
)

onEveryEngine('the command of a chat that is off', (it) => {
  it('is 404', async (world) => {
    for (const ask of [slackRequest(world, 'link'), discordRequest(world, 'link')]) {
      assert.equal((await post(world, ask)).status, 404)
    }
  })
})
