// How the site is built: every module it runs is in the build, so that the server loads few files.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

/** SvelteKit's route announcer is styled by an attribute, and this is its text. */
const ROUTE_ANNOUNCER = 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='

const OUT = process.env.SITE_BUILD ?? 'build'

/** The built server would import the matchers of parameters at every request, which takes as long as a call of the API. */
function importMatchersOnce() {
  const file = join(OUT, 'server/server.js')
  const text = readFileSync(file, 'utf8')
  const once = text.replace(
    /matchers: (async \(\) => \{\s*const \{ params \} = await import\([^)]*\);\s*return params;\s*\})/,
    'matchers: __memo($1)',
  )
  if (once === text)
    throw new Error(`${file} has no matchers as SvelteKit wrote them: look whether this is still needed`)
  writeFileSync(file, once)
}

function serverAdapter() {
  const node = adapter({ out: OUT })
  return {
    ...node,
    async adapt(builder: Parameters<typeof node.adapt>[0]) {
      await node.adapt(builder)
      importMatchersOnce()
    },
  }
}

export default defineConfig({
  plugins: [
    sveltekit({
      adapter: serverAdapter(),
      // The server has looked at the origin of a form before the site sees it (src/surfaces/site/mount.ts).
      csrf: { trustedOrigins: ['*'] },
      paths: { relative: false },
      csp: {
        mode: 'nonce',
        directives: {
          'default-src': ['none'],
          'script-src': ['self'],
          'style-src': ['self'],
          'style-src-attr': ['unsafe-hashes', ROUTE_ANNOUNCER],
          'img-src': ['self'],
          'font-src': ['self'],
          'connect-src': ['self'],
          'frame-src': ['self'],
          'manifest-src': ['self'],
          'base-uri': ['none'],
          'form-action': ['self'],
          'frame-ancestors': ['none'],
          'object-src': ['none'],
          // Text becomes part of a page in one place (src/enhance/trusted.ts); everywhere else a browser refuses it.
          'require-trusted-types-for': ['script'],
          'trusted-types': ['guildhall'],
        },
      },
    }),
  ],
  build: { assetsInlineLimit: 0, target: 'esnext' },
  worker: { format: 'es' },
  // The server has loaded zod already, for its contracts.
  ssr: { noExternal: [/./], external: ['zod'] },
})
