// The messages of the area onboarding, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface OnboardingMessages {
}
