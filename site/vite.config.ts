// How the site is built: every module it runs is in the build, so that the server loads few files.
import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

/** SvelteKit's route announcer is styled by an attribute, and this is its text. */
const ROUTE_ANNOUNCER = 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='

export default defineConfig({
  plugins: [
    sveltekit({
      adapter: adapter({ out: process.env.SITE_BUILD ?? 'build' }),
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
