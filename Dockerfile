# An image of SteadFS, built from this tree:
#
#   docker build -t steadfs --build-arg COMMIT=$(git rev-parse HEAD) --build-arg SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) .
#
# It has what a release has, below /opt/steadfs, and runs bin/stead as the user stead. compose.yaml runs a cluster of it.
FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
ARG COMMIT=unknown
ARG SOURCE_DATE_EPOCH=0
# The jars that Maven fetched stay in the cache of the builder, not in a layer.
RUN --mount=type=cache,target=/root/.m2 COMMIT=$COMMIT SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH bin/release --layout /release

FROM eclipse-temurin:17-jre
# One number everywhere, so that containers may share a volume. The folders are there before a volume takes their place and their owner.
RUN groupadd --system --gid 7410 stead \
    && useradd --system --uid 7410 --gid 7410 --home-dir /var/lib/steadfs --no-create-home --shell /usr/sbin/nologin stead \
    && install -d -o stead -g stead -m 0700 /var/lib/steadfs /etc/steadfs/secret
COPY --from=build /release/ /opt/steadfs/
# Servers start faster with it, and also without it.
RUN /opt/steadfs/bin/stead class-archive || echo "no archive of classes: servers start without one"; rm -rf /tmp/*
USER stead
WORKDIR /var/lib/steadfs
VOLUME /var/lib/steadfs
# Metadata and IO servers from number 1, /metrics and /health of both, the web interface, ZooKeeper.
EXPOSE 7410 7510 17410 17510 7480 2181
ENTRYPOINT ["/opt/steadfs/bin/stead"]
CMD ["--help"]
