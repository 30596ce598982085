#!/bin/bash
# Runs in namespaces of its own (test/deploy/machine.ts): a machine that looks like an operator's. What is written to its folders is gone
# with it. $WORK is a folder of the test, $RELEASE a release, $REPOSITORY the sources.
set -euo pipefail

mount --make-rprivate /
layers=$WORK/layers
mkdir "$layers" && mount -t tmpfs machine "$layers"
for folder in etc opt root usr/local var; do
  mkdir -p "$layers/$folder/upper" "$layers/$folder/work"
  mount -t overlay machine -o "lowerdir=/$folder,upperdir=$layers/$folder/upper,workdir=$layers/$folder/work" "/$folder"
done
mount -t tmpfs machine /run
mkdir -p /run/lock
ip link set lo up

echo '127.0.0.1 localhost guild.example files.guild.example db.example s3.example mail.example' > /etc/hosts
install -m 755 "$REPOSITORY/test/deploy/machine/systemctl" /usr/local/bin/systemctl
mkdir -p /etc/nginx/tls /etc/prometheus /etc/caddy /etc/systemd/system /var/backups /opt/guildhall-0.1.0 /opt/guildhall-0.2.0
cp "$WORK/tls/fullchain.pem" "$WORK/tls/privkey.pem" /etc/nginx/tls/
cp "$WORK/tls/ca.pem" /etc/ca.pem
export CURL_CA_BUNDLE=/etc/ca.pem NODE_EXTRA_CA_CERTS=/etc/ca.pem HOME=/root
for version in 0.1.0 0.2.0; do mount --bind "$RELEASE" "/opt/guildhall-$version"; done
"$NODE" "$REPOSITORY/test/deploy/machine/relay.ts" &
while [ ! -e /run/relays-ready ]; do sleep 0.05; done

cd "$REPOSITORY"
bash -euo pipefail "$WORK/page.sh"
