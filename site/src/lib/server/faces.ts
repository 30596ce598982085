// The pictures of the people whom a page names: their own, or one that is made from their names. A component writes whose picture it wants
// (`faceOf`), and this puts in the addresses, by one call of the API for a page. Pictures for links elsewhere have faces within them.
import { drawFace, madeFace, sizedFace } from '#lib/ui/faces.ts'
import { orRefusal } from './answers.ts'

/** As many as one call of the API answers. */
const MAX_FACES = 100
// It begins with text, which is found much faster than what only has to stand before a match.
const WANTED = /(<img class="avatar(?: of-(\d\d))?" src=")\/avatars\/of\/([\w-]{3,24})(?=")/g
const SMALLEST = 24

/** The page with the addresses of the pictures in it. A page without them comes up, should the API not answer. */
export async function withFaces({ api }: Pick<App.Locals, 'api'>, html: string): Promise<string> {
  const wanted = [...html.matchAll(WANTED)]
  if (wanted.length === 0) return html
  const names = new Set(wanted.map(([, , , name = '']) => name.toLowerCase()))
  const uploaded = await uploadedFaces(api, [...names].slice(0, MAX_FACES))
  let page = ''
  let end = 0
  for (const match of wanted) {
    const [all, before = '', size, name = ''] = match
    const url = uploaded.get(name.toLowerCase())
    const address = url ? sizedFace(url, Number(size ?? SMALLEST)).replaceAll('&', '&amp;') : madeFace(name)
    page += html.slice(end, match.index) + before + address
    end = match.index + all.length
  }
  return page + html.slice(end)
}

/** The addresses of the pictures of usernames in lower case, null for who uploaded none; nothing should the API not answer. */
async function uploadedFaces(api: App.Locals['api'], names: readonly string[]): Promise<Map<string, string | null>> {
  const { items } = await api.members.cards({ usernames: names.join() }).catch(() => ({ items: [] }))
  return new Map(items.map(({ username, avatarUrl }) => [username.toLowerCase(), avatarUrl]))
}

/** A face as part of a picture: what was uploaded as a data URL, or SVG that is made from the name. */
export type Face = { data: string } | { made: string }

/** Larger ones were uploaded before pictures were made smaller. */
const MAX_BYTES = 256 * 1024

/** The faces of some usernames, in their order; who has no username has none. */
export async function facesOf(
  { api }: Pick<App.Locals, 'api'>,
  usernames: readonly (string | null)[],
): Promise<Face[]> {
  const names = usernames.flatMap((name) => (name === null ? [] : name.toLowerCase()))
  if (names.length === 0) return []
  const uploaded = await uploadedFaces(api, names)
  return Promise.all(names.map(async (name) => (await dataOf(api, uploaded.get(name))) ?? { made: madeSvg(name) }))
}

const madeSvg = (name: string) => drawFace(/[^/]+(?=\.svg$)/.exec(madeFace(name))?.[0] ?? '') ?? ''

async function dataOf({ avatars }: App.Locals['api'], address: string | null | undefined): Promise<Face | undefined> {
  const [, userId] = /\/([^/?]+)(?:\?|$)/.exec(address ?? '') ?? []
  if (userId === undefined) return undefined
  const answer = await orRefusal(avatars.show({ userId }))
  if (answer.refusal) return undefined
  const type = answer.value.headers.get('content-type') ?? ''
  const bytes = Buffer.from(await answer.value.arrayBuffer())
  if (!/^image\/(png|jpeg|webp)$/.test(type) || bytes.byteLength > MAX_BYTES) return undefined
  return { data: `data:${type};base64,${bytes.toString('base64')}` }
}
